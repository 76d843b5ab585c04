"""What speaks for a protocol in a server's answers. Reports hold it in English; pages show it in the reader's language."""

from django.utils.translation import gettext_noop

from scoring.known_sentences import know

COZE_REFUSAL = know(gettext_noop("A refusal names a code, a message and a logid, as Coze's does."))
RASA_VERSION = know(gettext_noop("It tells its version as Rasa does."))
BOT_FRAMEWORK_PATH = know(gettext_noop("The path /api/messages does not accept GET, as with Bot Framework's bots."))
DIFY_PARAMETERS = know(gettext_noop("GET parameters is answered as Dify's API does."))
GRADIO_CONFIG = know(gettext_noop("GET config is answered as %(version)s does."))
OPENAI_MODELS = know(gettext_noop("It lists models as OpenAI-compatible servers do."))
DIALPORT_PATHS = know(gettext_noop("It takes POST at /init and /next, as DialPort agents do."))
OLLAMA_SAYS = know(gettext_noop("It says that Ollama is running."))
OLLAMA_MODELS = know(gettext_noop("It lists models as Ollama does."))
PATH_ENDING = know(gettext_noop("Its path ends with %(ending)s."))
NATIVE_HEADER = know(gettext_noop("The header Huace-Protocol of its answer to %(method)s says %(protocol)s."))
NATIVE_ANSWER = know(gettext_noop("Its answer to GET says %(protocol)s."))
