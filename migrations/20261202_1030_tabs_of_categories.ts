/** The tabs of a category are all that its entities show: categories that named some get the others that were shown beside them. */
import { Migration } from '@mikro-orm/migrations';

export class TabsOfCategories extends Migration {
  override name = '20261202_1030_tabs_of_categories';

  override up(): void {
    this.addSql(`
      update category set tabs = tabs || (
        select coalesce(jsonb_agg(t.tab order by t.place), '[]'::jsonb)
        from unnest(array['uses', 'whereUsed', 'revisions', 'stockLedger', 'requirements']) with ordinality as t (tab, place)
        where not jsonb_exists(tabs, t.tab)
          and (t.tab <> 'stockLedger' or role in ('item', 'itemAndLocation', 'location'))
          and (t.tab <> 'requirements' or role in ('item', 'itemAndLocation', 'project')))
      where jsonb_array_length(tabs) > 0`);
  }
}
