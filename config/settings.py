"""Settings of Huace. Everything that differs between places comes from the environment (docs/configuration.md)."""

import contextlib
import hmac
import os
import secrets
from datetime import timedelta
from pathlib import Path
from typing import Any

import dj_database_url
from csp.constants import NONE, SELF

from accounts.sessions.limits import Limits
from config.environment import (
    host_of,
    read_allowed_addresses,
    read_choice,
    read_flag,
    read_frame_rate,
    read_list,
    read_mail_server,
    read_networks,
    read_number,
    read_package_limit,
    read_site_url,
    read_storage,
    read_token,
    read_upload_limit,
    refuse_missing_extra,
    refuse_unknown_names,
)
from config.private_files import make_database_private

refuse_unknown_names()

# Databases with their companions, exports, accounts, logs: whatever Huace writes is for its own user only. This must come
# before anything is written; SQLite gives its -wal and -shm the mode of the database.
os.umask(0o077)

BASE_DIR = Path(__file__).resolve().parent.parent
# Databases, bundles and what is made once: nothing is written anywhere else.
VAR_DIR = Path(os.environ.get("HUACE_HOME") or BASE_DIR / "var")
VAR_DIR.mkdir(exist_ok=True, parents=True)
# Its locks are the places that the processes of this machine take at bots, over machines Redis grants them besides;
# nothing is ever written into it.
PLACES_FILE = VAR_DIR / "places"


def _kept_secret_key(path: Path) -> str:
    """The embedded size makes its own key once, readable by its owner only."""
    if not path.exists():
        draft = path.with_suffix(f".{os.getpid()}")
        draft.touch(mode=0o600)
        draft.write_text(secrets.token_urlsafe(50))
        # Another process may be first: then its key is the key.
        with contextlib.suppress(FileExistsError):
            path.hardlink_to(draft)
        draft.unlink()
    return path.read_text()


DEBUG = read_flag("HUACE_DEBUG")
# One-click sign-in, for `manage.py demo` alone: its addresses exist only where this is set.
IS_DEMO = read_flag("HUACE_DEMO")
HAS_OWN_SECRET_KEY = not os.environ.get("HUACE_SECRET_KEY")
SECRET_KEY = os.environ.get("HUACE_SECRET_KEY") or _kept_secret_key(VAR_DIR / "secret_key")
# Read what they signed or sealed, and sign and seal nothing new.
SECRET_KEY_FALLBACKS = read_list("HUACE_OLD_SECRET_KEYS")
OUTBOUND_ALLOW = read_allowed_addresses()
# What staff may open beyond it, on their page: networks of a lab, unless the operator says otherwise.
OUTBOUND_MAY_ALLOW = read_networks(
    "HUACE_OUTBOUND_MAY_ALLOW", default="10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,fc00::/7"
)
FRAME_RATE = read_frame_rate()
SOCKETS_PER_PERSON = read_number("HUACE_SOCKETS_PER_PERSON", 60, 0, 1_000_000)
SOCKETS_PER_ADDRESS = read_number("HUACE_SOCKETS_PER_ADDRESS", 1000, 0, 1_000_000)
# How people reach the site. All links begin with it, and its pages may send forms, whatever a proxy says of a request;
# empty: links on pages follow the request.
SITE_URL = read_site_url()
_hosts = read_list("HUACE_HOSTS", "127.0.0.1,localhost,[::1]")
ALLOWED_HOSTS = [*_hosts, host] if (host := host_of(SITE_URL)) and host not in _hosts else _hosts
CSRF_TRUSTED_ORIGINS = [SITE_URL] if SITE_URL else []
_mail = read_mail_server()
HAS_MAIL = _mail is not None
if _mail:
    EMAIL_HOST, EMAIL_PORT = _mail.host, _mail.port
    EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = _mail.user, _mail.password
    EMAIL_USE_TLS, EMAIL_USE_SSL = _mail.encryption == "starttls", _mail.encryption == "tls"
    DEFAULT_FROM_EMAIL = _mail.sender
EMAIL_TIMEOUT = 20
UPLOAD_LIMIT_BYTES = read_upload_limit()
PACKAGE_LIMIT_BYTES = read_package_limit()
# How many proxies of the deployment's own each request passes; without one, no X-Forwarded header is believed.
TRUSTED_PROXIES = read_number("HUACE_PROXIES", 0, 0, 9)
# What a form may add around the file; the server process refuses longer bodies before it reads them.
_AROUND_FILE = 64 * 1024
BODY_LIMIT_BYTES = UPLOAD_LIMIT_BYTES + _AROUND_FILE
# Paths whose bodies may be of another length: where organizers upload data packages.
SERVING_BODY_LIMITS = {r"/(api/v1/)?campaigns/[^/?]+/teams/data/": PACKAGE_LIMIT_BYTES + _AROUND_FILE}

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "csp",
    "rest_framework",
    "knox",
    "axes",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "django_otp.plugins.otp_static",
    "channels",
    "look",
    "scoring",
    "serving",
    "audit",
    "accounts",
    "participants",
    "rubrics",
    "campaigns",
    "language_models",
    "registration",
    "conformance",
    "dialogues",
    "testing_console",
    "reviews",
    "crowds",
    "replays",
    "verification",
    "leaderboards",
    "pairs",
    "simulation",
    "judging",
    "publication",
    "analysis",
    "automatic_tasks",
    "organizing",
    "operating",
    "notifications",
    "privacy",
    "frame",
    "demo",
]

MIDDLEWARE = [
    "operating.middleware.HealthMiddleware",
    "serving.monitoring.request_times.RequestTimesMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "accounts.middleware.StorableCookiesMiddleware",
    "serving.server.static_files.CompressedPagesMiddleware",
    "accounts.middleware.ApiRateMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "accounts.sessions.middleware.LogInsMiddleware",
    "accounts.middleware.PersonLanguageMiddleware",
    "campaigns.clocks.ClocksMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "frame.error_pages.ErrorPagesMiddleware",
    "accounts.middleware.StorableTextMiddleware",
    "accounts.middleware.NothingKeptMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
if DEBUG:
    # Reads each static file on every request; otherwise they are in memory, in front of Django (`serving.server.static_files`).
    MIDDLEWARE.insert(2, "servestatic.middleware.ServeStaticMiddleware")

# What lives in a server process beside its pages, what each process does from time to time, and the command that runs
# beside the server.
SERVING_FLOOR = "testing_console.live.floor.current"
SERVING_CHORES = {
    "The allowed addresses": "operating.chores.keep_openings",
    "The leaderboards": "leaderboards.chores.keep_leaderboards",
    "The statistics of leaderboards": "leaderboards.chores.keep_statistics",
    "The boards of pairs": "pairs.board.chores.keep_pair_boards",
    "Publications": "publication.chores.keep_publications",
    "The closing of silent dialogues": "testing_console.live.recovery.close_silent_dialogues",
    "Reviewing": "reviews.chores.keep_reviewing",
    "Failures that are the platform's": "reviews.chores.keep_bookings",
    "The places of studies": "crowds.actions.ending.keep_places",
    "Checks of systems": "conformance.keeper.keep_checks",
    "Fingerprints of systems": "conformance.keeper.keep_fingerprints",
    "Replays": "replays.keeper.keep_replays",
    "The sentinel": "replays.keeper.keep_sentinel",
    "Rehearsals": "simulation.keeper.keep_rehearsals",
    "Checks of services": "automatic_tasks.chores.keep_service_checks",
    "Frozen combined boards": "automatic_tasks.chores.keep_combined_boards",
    "Fingerprints of services": "automatic_tasks.chores.keep_service_fingerprints",
    "The meta-evaluations": "organizing.actions.keep_meta_evaluations",
    "The report for the operator": "operating.chores.keep_report_of_server",
    "The retention of texts": "privacy.chores.keep_retention",
}
SERVING_COMPANION = ["work"]
WORKING_CHORES = {
    "The allowed addresses": "operating.chores.keep_openings",
    "The report for the operator": "operating.chores.keep_report_of_worker",
    "Messages": "notifications.postman.keep_messages",
    "Mails": "notifications.postman.keep_mails",
}
# The page of a status that the server process itself answers, as text.
SERVING_PAGES = "frame.error_pages.standing_page"

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
AUTH_USER_MODEL = "accounts.Person"
# django-axes stands before the passwords: it refuses guesses before anything is hashed (accounts/log_in).
AUTHENTICATION_BACKENDS = ["accounts.log_in.handler.GuessBackend", "django.contrib.auth.backends.ModelBackend"]
AXES_HANDLER = "accounts.log_in.handler.GuessHandler"
AXES_CLIENT_IP_CALLABLE = "accounts.log_in.guesses.address_of"
AXES_VERBOSE = False
SILENCED_SYSTEM_CHECKS = [
    # Its middleware would answer refused guesses with a page of its own; the log-in page does that.
    "axes.W002",
    # HSTS and secure cookies follow from HUACE_SITE_URL, which `operating.deploy_checks` asks for; other hosts of the
    # domain are not ours to bind. Proxies redirect to HTTPS: where one hides that it did, Django would redirect forever.
    *(f"security.W{number:03}" for number in (4, 5, 8, 12, 16, 21)),
]
# Who must have a second factor before the pages of organizers open.
SECOND_FACTOR_OF = read_choice("HUACE_REQUIRE_SECOND_FACTOR", ("nobody", "organizers"))
OTP_TOTP_ISSUER = "Huace"
# Guesses at codes have budgets of ours: those of the library double the wait without end, and would keep the owner out.
OTP_TOTP_THROTTLE_FACTOR = OTP_STATIC_THROTTLE_FACTOR = 0
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "start"
LOGOUT_REDIRECT_URL = "home"
CSRF_FAILURE_VIEW = "frame.error_pages.no_token"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": False,
        "OPTIONS": {
            "builtins": ["look.templatetags.look"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "django.template.context_processors.i18n",
                "accounts.context.theme",
                "accounts.context.here",
                *(["demo.context.demo"] if IS_DEMO else []),
            ],
        },
    }
]


def _database(url: str) -> dict[str, Any]:
    database: dict[str, Any] = dict(dj_database_url.parse(url))
    if database["ENGINE"].endswith("sqlite3"):
        database["ENGINE"] = "serving.sqlite_in_turn"
        database["CONN_MAX_AGE"] = None
        database["OPTIONS"] = {
            "transaction_mode": "IMMEDIATE",
            "timeout": 5,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;",
        }
    else:
        refuse_missing_extra("DATABASE_URL", "postgres", "psycopg_pool")
        database["CONN_MAX_AGE"] = 0
        # A connection is tried before it is handed out: a restart of PostgreSQL leaves dead ones behind.
        database["CONN_HEALTH_CHECKS"] = True
        # A thread that waits longer than 5 s for a connection gets an error, as a tester does for a commit. Attempts to
        # connect that go on longer pause longer and longer, and would miss the moment when PostgreSQL is back.
        database["OPTIONS"] = {
            "connect_timeout": 5,
            # A database whose machine or line is gone says nothing; the system alone would wait for a quarter of an hour.
            "tcp_user_timeout": 10_000,
            "keepalives_idle": 5,
            "keepalives_interval": 2,
            "keepalives_count": 3,
            # Statements of the hot path are planned once a connection; their plans do not depend on the values.
            "prepare_threshold": 0,
            "pool": {"min_size": 1, "max_size": 8, "timeout": 5, "reconnect_timeout": 5},
        }
    return database


DATABASES = {"default": _database(os.environ.get("DATABASE_URL") or f"sqlite:///{VAR_DIR / 'huace.sqlite3'}")}
if DATABASES["default"]["ENGINE"] == "serving.sqlite_in_turn":
    make_database_private(str(DATABASES["default"]["NAME"]))

REDIS_URL = os.environ.get("REDIS_URL", "")
# What it keeps in Redis stands under this: the same on all machines, which may reach the database under several addresses,
# and another for the installation of another key, whose database may have the same name.
INSTALLATION = (
    "huace:" + hmac.digest(SECRET_KEY.encode(), str(DATABASES["default"]["NAME"]).encode(), "sha256").hex()[:12]
)
if REDIS_URL:
    refuse_missing_extra("REDIS_URL", "redis", "channels_redis")
CHANNEL_LAYERS: dict[str, Any] = (
    {
        "default": {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            "CONFIG": {"hosts": [REDIS_URL], "prefix": INSTALLATION},
        }
    }
    if REDIS_URL
    else {}
)

_own_cache: dict[str, Any] = {
    "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
    "OPTIONS": {"MAX_ENTRIES": 20_000},
}
_redis_cache: dict[str, Any] = {
    "BACKEND": "django.core.cache.backends.redis.RedisCache",
    "LOCATION": REDIS_URL,
    "KEY_PREFIX": INSTALLATION,
    # A hanging Redis counts as absent: pages go on without it.
    "OPTIONS": {"socket_timeout": 1, "socket_connect_timeout": 1},
}
# `own` is this process's, for what is counted while Redis is away.
CACHES = {"default": _redis_cache if REDIS_URL else _own_cache, "own": _own_cache | {"LOCATION": "own"}}

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "accounts.passwords.strength.LongEnough"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]

LANGUAGE_CODE = "zh-hans"
LANGUAGES = [("zh-hans", "中文"), ("en", "English")]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "Asia/Shanghai"

# Where the files stand that all machines read: on this machine's disk, or in S3-compatible storage.
_storage = read_storage()
STORAGES: dict[str, Any] = {
    "default": {"BACKEND": "serving.s3_files.S3Files", "OPTIONS": _storage}
    if _storage
    else {"BACKEND": "serving.stored_files.FilesOnDisk"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}

STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
SERVESTATIC_USE_FINDERS = True
SERVESTATIC_AUTOREFRESH = DEBUG
SERVESTATIC_ALLOW_ALL_ORIGINS = False

_is_local = all(host in {"127.0.0.1", "localhost", "[::1]"} for host in ALLOWED_HOSTS)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SITE_URL.startswith("https:") if SITE_URL else not (_is_local or DEBUG)
# A tester who works by day and sleeps at night stays logged in; who is away for a whole day logs in again.
SESSION_LIMITS = Limits(
    idle=timedelta(hours=read_number("HUACE_SESSION_IDLE_H", 24, 1, 24 * 365)),
    longest=timedelta(days=read_number("HUACE_SESSION_DAYS", 14, 1, 365)),
    n_per_person=read_number("HUACE_SESSIONS_PER_PERSON", 20, 1, 1000),
)
SESSION_COOKIE_AGE = int(SESSION_LIMITS.idle.total_seconds())
CSRF_COOKIE_HTTPONLY = True
# Clients themselves could send the header where no proxy replaces it.
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if TRUSTED_PROXIES else None
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if SITE_URL.startswith("https:") else 0
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
DATA_UPLOAD_MAX_MEMORY_SIZE = BODY_LIMIT_BYTES

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}

# API requests of a person per five minutes; an address has ten times as many. 0 switches both off.
API_RATE = read_number("HUACE_API_RATE", 6000, 0, 10**9)
REST_FRAMEWORK = {
    "DEFAULT_THROTTLE_CLASSES": ["api.rate_limits.PersonThrottle"],
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "accounts.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["api.parsers.WholeJSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["api.parsers.StrictJSONParser"],
    "DEFAULT_METADATA_CLASS": None,
    "EXCEPTION_HANDLER": "api.problems.problem_of",
    "DEFAULT_SCHEMA_CLASS": "frame.api_pages.operations.Operation",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}
SPECTACULAR_SETTINGS = {"OAS_VERSION": "3.1.0", "TITLE": "Huace 话测", "VERSION": "1", "SCHEMA_PATH_PREFIX": "/api/v1"}
# Our own model stands in place of knox's, whose table would only hold up the emptying of ours.
MIGRATION_MODULES = {"knox": None}
KNOX_TOKEN_MODEL = "accounts.ApiToken"
TOKEN_DAYS_AT_MOST = read_number("HUACE_TOKEN_DAYS", 365, 1, 3650)
REST_KNOX = {"TOKEN_TTL": timedelta(days=30), "AUTO_REFRESH": False}

# Lines for people, or for programs that collect them (`serving/monitoring/log_lines.py`); those have one per request, turn and job.
LOG_FORMAT = read_choice("HUACE_LOG_FORMAT", ("text", "json"))
_EACH = {"huace.request", "huace.turn", "huace.job"}
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "text": {"format": "{asctime} {levelname} {name} {message}", "style": "{"},
        "json": {"()": "serving.monitoring.log_lines.JsonLines"},
    },
    "filters": {"routes": {"()": "serving.monitoring.log_lines.RoutesForAddresses"}},
    "handlers": {
        "stderr": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT, "filters": ["routes"]},
        "errors": {"()": "serving.monitoring.error_tally.the_tally"},
    },
    "root": {"handlers": ["stderr", "errors"], "level": "WARNING"},
    "loggers": {
        "huace": {"level": "INFO"},
        **{name: {"level": "INFO" if LOG_FORMAT == "json" else "WARNING"} for name in _EACH},
    },
}

# /metrics is readable with the token and from these addresses; without either by nobody.
METRICS_TOKEN = read_token("HUACE_METRICS_TOKEN")
METRICS_FROM = read_networks("HUACE_METRICS_FROM")
