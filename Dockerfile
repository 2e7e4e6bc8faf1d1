# Paydrop as an image: `docker build -t paydrop .`. compose.yaml runs it; docs/install.md says how.
# First the package, as `npm pack` makes it for everybody, installed without a registry.
FROM node:24-slim AS package
WORKDIR /build
COPY . .
# No install script of a package runs: what they do is for tests.
RUN npm ci --ignore-scripts && npm pack
RUN mkdir -p /opt/paydrop && cd /opt/paydrop && npm install --offline /build/paydrop-*.tgz

FROM node:24-slim
RUN groupadd --gid 10001 paydrop && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /srv/paydrop paydrop
COPY --from=package /opt/paydrop /opt/paydrop
RUN ln -s /opt/paydrop/node_modules/.bin/paydrop /usr/local/bin/paydrop && install -d -o 10001 -g 10001 /srv/paydrop
# The health check asks the monitors, so they are always on; only the container itself reaches this address.
ENV PAYDROP_MONITORING_LISTEN=127.0.0.1:9464
# paydrop.yaml and the folders are mounted here. Nothing else is written, so the root may be read-only.
WORKDIR /srv/paydrop
USER 10001:10001
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:9464/health/live').then(({ ok }) => process.exit(ok ? 0 : 1))"]
ENTRYPOINT ["paydrop"]
CMD ["serve"]
