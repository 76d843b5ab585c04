"""What speaks for a protocol in a server's answers. Reports keep the sentence and its values."""

from django.utils.translation import gettext_noop

COZE_REFUSAL = gettext_noop("A refusal names a code, a message and a logid, as Coze's does.")
RASA_VERSION = gettext_noop("It tells its version as Rasa does.")
BOT_FRAMEWORK_PATH = gettext_noop("The path /api/messages does not accept GET, as with Bot Framework's bots.")
DIFY_PARAMETERS = gettext_noop("GET parameters is answered as Dify's API does.")
GRADIO_CONFIG = gettext_noop("GET config is answered as %(version)s does.")
OPENAI_MODELS = gettext_noop("It lists models as OpenAI-compatible servers do.")
DIALPORT_PATHS = gettext_noop("It takes POST at /init and /next, as DialPort agents do.")
OLLAMA_SAYS = gettext_noop("It says that Ollama is running.")
OLLAMA_MODELS = gettext_noop("It lists models as Ollama does.")
PATH_ENDING = gettext_noop("Its path ends with %(ending)s.")
NATIVE_HEADER = gettext_noop("The header Huace-Protocol of its answer to %(method)s says %(protocol)s.")
NATIVE_ANSWER = gettext_noop("Its answer to GET says %(protocol)s.")
