# Chores, one word each. `make demo` and `make test` need Python 3.11 or newer with venv, and make; nothing else.
PORT ?= 8000
PYTHON ?= python3
# `make test-long SHARE=11` and `make chaos SHARE=7` run every eleventh and every seventh of their tests.
SHARE ?= 1
# The program of bench/ that `make bench` runs; ARGS are handed to it.
NAME ?= turns
PY := .venv/bin/python
# The files in which a mark of pytest stands: where nothing else runs, nothing else is collected.
marked = $(sort $(shell grep -rlw 'mark\.$(1)' tests --include='test_*.py'))
# Files that `make test` leaves out as a whole, so that it does not read them: by their list or by the mark of all their tests.
unread = $(shell $(PY) -m tests.suites long lint) $(shell grep -rlE '^(pytestmark = .*|    pytest\.)mark\.(server|e2e|chaos|image)\b' tests --include='test_*.py')
# What needs no server and no browser, what drives a browser, and what drives a server.
rules = not server and not e2e and not chaos and not lint and not image
browsers = e2e and not chaos and not night
servers = server and not e2e and not chaos and not rehearsal
own_network = $(shell unshare --net true 2>/dev/null && command -v iptables >/dev/null && \
  echo "unshare --net sh -c 'ip link set lo up && OWN_NETWORK=own exec \"\$$@\"' sh")
unchecked = WARNING: the scripts' types are NOT checked, npm could not fetch TypeScript (npm ci).
# Hundreds of processes are started, and each would compile all modules again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo demo-reset install verifier test test-repeat test-long test-night test-postgres test-real-bots fuzz rehearsals image-check chaos stress soak release tournament bench lint lock messages screenshots site

demo: .venv/installed
	@$(PY) manage.py demo --port $(PORT) --end-with $$PPID

demo-reset: .venv/installed
	@rm -f var/huace.sqlite3 var/huace.sqlite3-wal var/huace.sqlite3-shm var/huace.sqlite3-turns
	@$(PY) manage.py demo --port $(PORT) --end-with $$PPID

# One file that checks results bundles; needs Python alone.
verifier:
	@$(PYTHON) -m verification.program

test: .venv/installed
	@$(PY) -m pytest -n 2 --dist loadfile --no-loadscope-reorder $(ORDER) $(addprefix --ignore=,$(unread)) -m "$(rules) and not long"

# In random order beside a process that takes one core: N seeds, each printed; SEED=… repeats one.
test-repeat: .venv/installed
	@$(PY) -m tests.repeat $(or $(N),5) $(SEED)

test-long: .venv/installed
	@$(PY) -m pytest -n 2 --dist loadfile -m "($(rules) and long and not night) or ($(browsers)) or ($(servers))" \
	  --share $(SHARE) $(sort $(shell $(PY) -m tests.suites long) $(call marked,long) $(call marked,e2e) $(call marked,server))

test-night: .venv/installed
	@$(PY) -m pytest -n 2 --dist loadfile -m night $(call marked,night)

test-postgres: .venv/installed
	@.ci/postgres $(MAKE) test test-long

fuzz: .venv/installed
	@FUZZ_EXAMPLES=200 FUZZ_CAMPAIGNS=200 $(PY) -m pytest -q -rP tests/test_api_fuzz.py tests/campaigns/test_any_campaign.py

test-real-bots: .venv/installed
	@$(PY) -m pytest -m real_bots tests/real_bots

rehearsals: .venv/installed
	@$(PY) -m pytest -n 2 -m server tests/live/test_rehearsals.py tests/live/test_site.py tests/live/test_crowd_doors.py tests/demo/test_demo.py

# The image, built and driven in a clean root (apt-get install buildah debootstrap bubblewrap).
image-check: .venv/installed
	@$(PY) -m pytest -rP -m image $(call marked,image)

# In a network of its own, whose lines it cuts, where the system lets us make one.
chaos: .venv/installed
	@$(own_network) $(PY) -m pytest -m chaos --share $(SHARE) $(call marked,chaos)

stress: .venv/installed
	@$(PY) -m tests.live.stress --whole

# An hour undisturbed (MINUTES=… another time), then every fault under load; writes docs/reliability.md.
soak: .venv/installed
	@$(PY) -m tests.live.soak --minutes $(or $(MINUTES),60)

# Wheel, verifier, SBOM, audit and notes of this version in dist/; ARGS="--store", then "--tag" (CONTRIBUTING.md).
release: .venv/installed
	@$(PY) -m deploy.release $(ARGS)

tournament: .venv/installed
	@$(PY) manage.py tournament

# Programs: turns, misbehaving, deploys, scaling, wall, automatic_tasks, drawing, reviewing, first_paint, size, statistics, backup, simulating (docs/bench.md).
bench: .venv/installed
	@$(PY) -m bench.$(NAME) $(ARGS)

lint: .venv/installed node_modules/.package-lock.json
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(PY) -m mypy .
	@$(PY) -m deptry .
	@$(PY) -m djlint templates --lint --quiet
	@if [ -x node_modules/.bin/tsc ]; then node_modules/.bin/tsc; else echo "$(unchecked)"; fi
	@$(PY) -m pytest -q -n 2 --dist loadfile $(shell $(PY) -m tests.suites lint)

LOCK = uv pip compile pyproject.toml --universal --generate-hashes --no-header --no-emit-index-url --no-emit-find-links --python-version 3.11
lock:
	$(LOCK) --extra postgres --extra redis --extra s3 --extra chinese --extra parquet --extra analysis --extra otel --extra dev -o requirements.txt
	$(LOCK) --extra postgres --extra redis --extra s3 --extra chinese -c requirements.txt -o requirements-server.txt
	$(PY) -c "import tomllib; print(*tomllib.load(open('pyproject.toml', 'rb'))['project']['optional-dependencies']['docs'], sep='\n')" \
	  | $(LOCK:pyproject.toml=-) -c requirements.txt -o requirements-docs.txt
	printf 'hatchling\nsetuptools\n' | $(LOCK:pyproject.toml=-) -c requirements.txt -o requirements-build.txt

messages: .venv/installed
	@$(PY) manage.py makemessages -l zh_Hans --ignore=.venv --ignore=var --ignore=node_modules --no-location
	@$(PY) -c "import polib; [polib.pofile(f'locale/{one}/LC_MESSAGES/django.po').save_as_mofile(f'locale/{one}/LC_MESSAGES/django.mo') for one in ('zh_Hans', 'en')]"

screenshots: .venv/installed
	@$(PY) -m tests.live.contact_sheet

# The site to learn from, in var/site: open index.html, or put the folder behind any web server. Warnings end it.
site: .venv/installed var/site-venv/installed
	@rm -rf var/site var/look-up
	@$(PY) -m deploy.handbook.look_up
	@NO_MKDOCS_2_WARNING=1 var/site-venv/bin/mkdocs build -f mkdocs.yml
	@NO_MKDOCS_2_WARNING=1 var/site-venv/bin/mkdocs build -f mkdocs.zh.yml

var/site-venv/installed: requirements-docs.txt
	@$(PYTHON) -m venv var/site-venv && var/site-venv/bin/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements-docs.txt
	@touch $@

# A server without the tools of developers; one environment, so that a checkout is the one or the other.
install: LIBRARIES = requirements-server.txt
install: requirements-server.txt
	@$(INSTALL)
	@touch .venv/installed

.venv/installed: requirements.txt
	@$(INSTALL)
	@touch $@

LIBRARIES = requirements.txt
define INSTALL
$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else "Huace needs Python 3.11 or newer; this is %d.%d. Name another one: make demo PYTHON=python3.12" % sys.version_info[:2])'
if command -v uv >/dev/null 2>&1; then \
  uv venv -q --allow-existing --python $(PYTHON) .venv && uv pip install -q --python .venv/bin/python --require-hashes -r $(LIBRARIES); \
else \
  echo "Installing Huace's libraries into .venv (about a minute, once) …"; \
  { $(PYTHON) -m venv .venv || { echo "Python's venv module is missing: apt-get install python3-venv"; exit 1; }; } && \
  .venv/bin/python -m pip install -q --disable-pip-version-check --require-hashes -r $(LIBRARIES); \
fi
endef

# Only `make lint` asks for node: the pages' scripts are served as they stand.
node_modules/.package-lock.json: package-lock.json
	@npm ci --no-audit --no-fund --loglevel=error >/dev/null && touch $@ || echo "$(unchecked)"
