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
RUN mkdir -p .cache/compiled && chown node .cache/compiled
USER node
EXPOSE 3000
CMD ["node", "src/main.ts", "web"]
