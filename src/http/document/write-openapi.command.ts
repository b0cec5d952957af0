/** `npm run openapi`: writes docs/openapi.json, which a test holds against the routes. */
import { writeFileSync } from 'node:fs';
import { routes } from '../../api.ts';
import { buildOpenApi } from './build-openapi.ts';

writeFileSync(
  new URL('../../../docs/openapi.json', import.meta.url),
  `${JSON.stringify(buildOpenApi(routes), null, 2)}\n`,
);
