"""LitServe's OpenAI-compatible server around a few fixed words; python litserve_chat.py PORT"""

import sys

import litserve


class Words(litserve.LitAPI):
    def setup(self, device):
        pass

    def predict(self, request):
        asked = request.messages[-1].content
        # LitServe fills in zeros where its maker's program counts nothing.
        counts = {"prompt_tokens": len(asked), "completion_tokens": 9, "total_tokens": len(asked) + 9}
        if "JSON Schema" in asked:
            yield {"role": "assistant", "content": '{"verdict": "yes", "turn": 2}', **counts}
        else:
            yield f"您好：{asked[:20]}"


if __name__ == "__main__":
    api = Words(spec=litserve.OpenAISpec())
    server = litserve.LitServer(api, accelerator="cpu", devices=1)
    server.run(host="127.0.0.1", port=int(sys.argv[1]), generate_client_file=False, log_level="warning")
