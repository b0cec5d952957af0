# The web app is built beside the service: the image has its output and none of its tools.
FROM node:24-slim AS web
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY clients ./clients
RUN npm ci
COPY docs/openapi.json ./docs/openapi.json
COPY src ./src
COPY web ./web
RUN npm run build

FROM node:24-slim
WORKDIR /app
ENV NODE_ENV=production
COPY package.json package-lock.json .npmrc ./
COPY clients ./clients
# The embedded servers and the bundled Node are for machines without containers.
RUN npm ci --omit=dev --omit=optional
COPY src ./src
COPY workers ./workers
COPY migrations ./migrations
COPY docs/openapi.json ./docs/openapi.json
COPY --from=web /app/web/dist ./web/dist
COPY web/tokens.css ./web/tokens.css
COPY web/static/icon.svg ./web/static/icon.svg
# Known before the first file is loaded: one that is not kept there makes Node load its own compiler, which stays in memory.
ENV NODE_COMPILE_CACHE=/app/.cache/compiled
# As the scripts of package.json start it: no more helpers of V8 than processors beside the event loop, and a small young generation.
ENV NODE_OPTIONS="--v8-pool-size=0 --max-semi-space-size=16"
# What threads of Node free would stay with the arena that each of them has; with two it is the next one's.
ENV MALLOC_ARENA_MAX=2
# What large buffers were goes back to the system when they are freed, and not only when nothing lies behind it.
ENV MALLOC_MMAP_THRESHOLD_=131072
RUN mkdir -p .cache/compiled && chown node .cache/compiled
USER node
EXPOSE 3000
CMD ["node", "src/main.ts", "web"]
