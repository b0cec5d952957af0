/** Columns that every row has which MikroORM maps: how often it was changed, and when it was made and changed last. */
import { p } from '@mikro-orm/postgresql';

/** Made anew for each table: what it returns is the mapping's own. */
export const stampedColumns = () => ({
  version: p.integer().version(),
  createdAt: p.datetime().onCreate(() => new Date()),
  updatedAt: p
    .datetime()
    .onCreate(() => new Date())
    .onUpdate(() => new Date()),
});
