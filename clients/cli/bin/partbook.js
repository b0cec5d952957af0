#!/usr/bin/env node
// In a clone the sources run as they are; a package has what was built of them alone.
import { existsSync } from 'node:fs';

const source = new URL('../main.ts', import.meta.url);
const built = new URL('../dist/cli/main.js', import.meta.url);
await import((existsSync(source) ? source : built).href);
