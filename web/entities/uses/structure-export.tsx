/** The whole structure below an entity as a table, level by level as on the drawing's list. */
import { eachLine, treeInReadingOrder } from '../../../clients/typescript/reading-order.ts';
import type { Entity, TreeItem } from '../../client/operations.ts';
import { call } from '../../client/request.ts';
import { ExportMenu } from '../../components/lists/export-menu.tsx';
import type { GridColumn } from '../../components/lists/grid-column.ts';
import type { Configuration } from '../configuration-select.tsx';

export function StructureExport({ entity, configuration }: { entity: Entity; configuration: Configuration }) {
  return (
    <ExportMenu<TreeItem>
      label={`Structure ${entity.number ?? entity.name}`}
      columns={columns}
      read={async (_, signal) => {
        const { items } = await call('getTree', { id: entity.id, query: { configuration } }, { signal });
        return { items: treeInReadingOrder(eachLine(items)), nextCursor: null };
      }}
    />
  );
}

const columns: GridColumn<TreeItem>[] = [
  column('Level', ({ level }) => level),
  column('Number', ({ number }) => number),
  column('Name', ({ name }) => name),
  column('Find no.', ({ findNumber }) => findNumber),
  column('Quantity', ({ quantity }) => quantity),
  column('Unit', ({ unit }) => unit),
  column('Total per assembly', ({ extendedQuantity }) => extendedQuantity),
  column('Designators', ({ referenceDesignators }) => referenceDesignators.join(', ')),
  column('Note', ({ note }) => note),
  column('Category', ({ category }) => category),
  column('State', ({ state }) => state),
  column('Revision', ({ revision }) => revision),
];

function column(header: string, text: (item: TreeItem) => string | number | null): GridColumn<TreeItem> {
  return { key: header, header, width: 0, cell: text, text };
}
