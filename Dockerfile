# syntax=docker/dockerfile:1@sha256:87999aa3d42bdc6bea60565083ee17e86d1f3339802f543c0d03998580f9cb89
# One image for API, worker and admin commands: ROLE sets a container's task. docs/deploy/compose.md
# and docs/deploy/kubernetes.md explain its use; test/deploy runs the steps of the stage "install".

FROM node:24-bookworm-slim@sha256:d6aa754f16b3197301076f047b5def2f02ea1dbbc2ca920407d46d7ec7f87b20 AS install
WORKDIR /opt/framegate
# The installed packages: the gateway and the tested packages of providers. A trial adds
# @framegate/preview-renderer, whose encoder is under the GPL (docs/adr/0006-preview-encoder.md).
ARG WORKSPACES="-w @framegate/gateway -w @framegate/providers"
COPY package.json package-lock.json ./
COPY shared/package.json shared/
COPY gateway/package.json gateway/
COPY gateway/embedded-mongod/package.json gateway/embedded-mongod/
COPY gateway/limits/package.json gateway/limits/
COPY gateway/media/package.json gateway/media/
COPY gateway/preview/package.json gateway/preview/
COPY gateway/providers/package.json gateway/providers/
COPY gateway/providers/tested/package.json gateway/providers/tested/
COPY lab/package.json lab/
# hadolint ignore=SC2086
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund ${WORKSPACES}
COPY deploy/image deploy/image
# Writes the lists of contents and licences, then removes files that a running gateway never reads: documentation, tests,
# types, and builds for other runtimes.
RUN npm sbom --sbom-format cyclonedx --package-lock-only > all.cdx.json && \
    node deploy/image/contents.js all.cdx.json && \
    rm all.cdx.json && \
    find node_modules -type f '(' -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.test.*' -o -name CHANGELOG.md -o -name README.md ')' -delete && \
    for name in test docs bench benchmarks examples dist-es dist-types; do rm -rf node_modules/*/$name node_modules/@*/*/$name; done && \
    find node_modules/@fontsource-variable/inter/files -type f ! -name inter-latin-wght-normal.woff2 -delete && \
    rm -rf node_modules/@ai-sdk/*/src node_modules/bson/src node_modules/mongodb/src node_modules/zod/src \
      node_modules/mediabunny/dist/bundles node_modules/mediabunny/src node_modules/@zxcvbn-ts/language-common/src \
      node_modules/csv-parse/dist node_modules/nodemailer/dist/cjs \
      node_modules/@simplewebauthn/server/script node_modules/@peculiar/*/build/es2015 node_modules/tsyringe/dist/esm* \
      node_modules/luxon/build/amd node_modules/luxon/build/cjs-browser node_modules/luxon/build/global node_modules/luxon/src \
      node_modules/web-streams-polyfill/dist && \
    mkdir node_modules/.cache
COPY shared shared
COPY gateway gateway
COPY LICENSE ./

FROM debian:bookworm-slim@sha256:88200866dfff7ea7f5cbcb6ec7c8a701889efe6fe859fe64d6990e4b07ea4171
ARG VERSION="0.1.0"
ARG REVISION=""
LABEL org.opencontainers.image.title="Framegate" \
      org.opencontainers.image.description="Self-hosted gateway for asynchronous media generation" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
COPY --from=install /usr/local/bin/node /usr/local/bin/node
RUN groupadd --gid 10001 framegate && \
    useradd --uid 10001 --gid 10001 --no-create-home --home-dir /var/lib/framegate --shell /usr/sbin/nologin framegate && \
    mkdir /var/lib/framegate && chown 10001:10001 /var/lib/framegate && \
    node --version
COPY --from=install /opt/framegate /opt/framegate
# Node's compile cache. With a read-only root file system, mount a volume here; without one, every
# child that reads a file compiles its code again.
COPY --from=install --chown=10001:10001 /opt/framegate/node_modules/.cache /opt/framegate/node_modules/.cache
WORKDIR /opt/framegate
ENV NODE_ENV=production \
    HOME=/var/lib/framegate \
    DATA_DIR=/var/lib/framegate \
    MODE=production \
    HOST=0.0.0.0 \
    METRICS_HOST=0.0.0.0 \
    METRICS_PORT=9090 \
    NODE_COMPILE_CACHE=/opt/framegate/node_modules/.cache/framegate
USER 10001:10001
VOLUME /var/lib/framegate
EXPOSE 8080 9090
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "deploy/image/healthCheck.js"]
# Node is the first process of the container and handles SIGTERM itself (docs/operating/upgrading.md).
CMD ["node", "gateway/start.js"]
