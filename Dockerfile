FROM node:24-slim
WORKDIR /app
ENV NODE_ENV=production
COPY package.json package-lock.json .npmrc ./
# The embedded servers and the bundled Node are for machines without containers.
RUN npm ci --omit=dev --omit=optional
COPY src ./src
COPY workers ./workers
COPY migrations ./migrations
COPY docs/openapi.json ./docs/openapi.json
USER node
EXPOSE 3000
CMD ["node", "src/main.ts", "web"]
