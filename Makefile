# Every target does its own set-up: on a fresh machine `make demo` or `make test` is all it takes.

NODE_RUN := node --import tsx
# The tests of the core run on these as well, next to the Node.js of the machine.
OTHER_NODES := 24 26
NODE_PACKAGE := node-$(shell node -p 'process.platform + "-" + process.arch')

.PHONY: help demo test test-full bench check build clean
.DELETE_ON_ERROR:

help:
	@sed -n 's/^## /make /p' Makefile

## demo        a first look: functions on every core, then photographs (downloaded with pip) to thumbnails
demo: build
	node dist/cli/main.js run examples/demo.ts
	$(NODE_RUN) scripts/demo-photos.ts

## test        all tests, those of the core on each supported Node.js
test: build other-nodes native
	$(NODE_RUN) scripts/test.ts

## test-full   the same with the long versions
test-full: export GIRONA_FULL = 1
test-full: test

## bench       side by side with the peers, into one table
bench: build
	bash bench/setup.sh
	$(NODE_RUN) bench/run.ts

## check       types, lint, arrows between folders, exported names, docs, what npm would publish
check: build
	$(NODE_RUN) scripts/check.ts

## build       src/ to dist/
build: dist/index.js

## clean       all that these commands made
clean:
	rm -rf dist .cache .venv node_modules

# The directories are among the prerequisites, because only they change when a file is removed.
dist/index.js: node_modules/.package-lock.json package.json tsconfig.json scripts/build.ts $(shell find src)
	$(NODE_RUN) scripts/build.ts

# Not after package.json, whose scripts change more often than what is installed.
node_modules/.package-lock.json: package-lock.json
	npm ci --no-progress --loglevel=error
	@touch $@

# Two MPIs, HDF5, and the addons for them. What is missing is said by the tests that need it.
.PHONY: native
native: build
	@-bash scripts/setup-mpi.sh
	@-$(NODE_RUN) scripts/build-native.ts

# Without a network the tests still run; scripts/test.ts then says which Node.js is missing.
.PHONY: other-nodes
other-nodes:
	@-$(MAKE) --no-print-directory -k $(OTHER_NODES:%=.cache/node/%/bin/node)

# The packages hold the whole distribution; the binary alone needs no installing.
.cache/node/%/bin/node:
	@mkdir -p .cache/node/$*
	@echo "Node.js $* for the tests of the core ..."
	@archive=$$(npm pack --silent --pack-destination .cache/node $(NODE_PACKAGE)@$*) && \
	  tar -xzf .cache/node/$$archive -C .cache/node/$* --strip-components=1 package/bin/node && rm .cache/node/$$archive
