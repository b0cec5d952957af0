/** Writes partbook.json, for `kubectl apply -f`: `node deploy/kubernetes/make-manifests.ts`. A test compares the file with what this makes. */
import { writeFileSync } from 'node:fs';
import { manifests } from './manifests.ts';

const list = { apiVersion: 'v1', kind: 'List', items: manifests };
writeFileSync(new URL('partbook.json', import.meta.url), `${JSON.stringify(list, null, 2)}\n`);
