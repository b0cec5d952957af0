/**
 * The schema of an import definition: how the columns, fields or attributes of a file become parts and structure. One
 * definition serves the command line, a watched folder, an upload and a CSV sent to the service.
 */
import { z } from 'zod';
import { isGuid } from '../guid.ts';
import { isNumbered } from './numbered.ts';
import { SupplierPartSources } from './supplier-parts.schema.ts';

const ColumnName = z.string().trim().min(1).max(255);
const CategoryKey = z.string().min(1).max(100);
const Word = z.string().max(255);
/** The number of columns that are watched for differences. */
export const WATCHED_MAX = 20;

const PropertySource = z
  .union([
    ColumnName,
    z.strictObject({
      column: ColumnName,
      type: z.enum(['text', 'numeric', 'date', 'boolean', 'reference']).default('text').meta({
        description:
          'How values are read. `reference`: an entity by its GUID, or by its key, of a line of the file or of the workspace.',
      }),
      units: z
        .record(z.string().max(50), z.number().positive())
        .optional()
        .meta({
          description: 'What a number is multiplied by for the unit that stands behind it.',
          examples: [{ kg: 1, g: 0.001 }],
        }),
      withUnit: z
        .literal(true)
        .optional()
        .meta({
          description:
            'A number is sent with the unit that stands behind it, and the service converts it to the unit of the property. Has no effect beside `units`.',
          examples: [true],
        }),
      unit: z
        .string()
        .trim()
        .min(1)
        .max(32)
        .optional()
        .meta({
          description:
            'With `withUnit`, the unit of numbers that have none behind them. Without it, the unit in the title of the column counts, such as `Mass (g)`, `Mass [g]` or `Mass / g`, if the property has another one.',
          examples: ['g'],
        }),
    }),
  ])
  .meta({ description: 'A column, or a column with what its values are.' });

const Exclusion = z.strictObject({
  column: ColumnName,
  values: z.array(Word).max(100).optional().meta({
    description: 'Lines with one of these values are left out. Takes precedence over `says`.',
  }),
  says: z.enum(['yes', 'no', 'notFitted']).optional().meta({
    description:
      'Which values leave a line out without `values`: `yes` (the default) anything but a "no", `no` a "no" or "not fitted", `notFitted` a text such as DNP, DNF or "1 (DNF)".',
  }),
});

const CategoryRule = z.strictObject({
  column: ColumnName,
  values: z.array(Word).min(1).max(1000).meta({ description: 'In any case of letters.' }),
  category: CategoryKey,
});

export const ImportDefinition = z
  .strictObject({
    description: z.string().max(1000).optional(),
    format: z
      .enum(['auto', 'table', 'netlist', 'step', 'stpx', 'pdm'])
      .default('auto')
      .meta({ description: 'By the content of the file where it is `auto`.' }),
    namespace: z
      .string()
      .refine(isGuid, 'Not a GUID.')
      .optional()
      .meta({ description: 'The GUIDs of parts without one are made of it and their key (UUID version 5).' }),
    columns: z
      .strictObject({
        key: z
          .union([ColumnName, z.array(ColumnName).min(1).max(10)])
          .optional()
          .meta({
            description:
              'What tells parts apart: a column, or several of which the texts are joined. Default: the number.',
          }),
        keyElse: z
          .union([ColumnName, z.array(ColumnName).min(1).max(10)])
          .optional()
          .meta({ description: 'The key of lines in which the key is empty.' }),
        number: ColumnName.optional(),
        name: ColumnName.optional(),
        guid: ColumnName.optional(),
        category: ColumnName.optional(),
        picture: ColumnName.optional().meta({
          description:
            'SHA-256 of the picture of the part, which is uploaded before. An empty cell leaves the picture as it is.',
        }),
        parentLocation: ColumnName.optional().meta({
          description:
            'The location that a location lies in: its key or GUID, of a line before or behind, or of the workspace. An empty cell leaves the place as it is.',
        }),
        quantity: ColumnName.optional(),
        level: ColumnName.optional().meta({
          description: 'The column of the level, item number, indentation or dots.',
        }),
        levels: z.array(ColumnName).min(2).max(30).optional().meta({
          description:
            'For `columns`: one column for each level, the topmost first. The last one that is filled gives the level, and the key where no other column is named for it.',
        }),
        parent: ColumnName.optional().meta({
          description: 'The key of the parent; with `row`, the row of the parent.',
        }),
        row: ColumnName.optional().meta({
          description:
            'What identifies each row, such as its id or position. `parent` then names rows instead of keys; the row of a parent stands above those of its children.',
        }),
        parentName: ColumnName.optional().meta({
          description: 'The name of the parent, for parents that have no line of their own.',
        }),
        identity: z.array(ColumnName).max(10).optional().meta({
          description:
            'Columns that tell parts apart besides the key: two lines with one key that differ in one of them stop the import.',
        }),
        references: ColumnName.optional().meta({
          description: 'Reference designators; checked against the quantity.',
        }),
        findNumber: ColumnName.optional(),
        unit: ColumnName.optional(),
        note: ColumnName.optional().meta({
          description: 'What is said of this use of the part, not of the part.',
        }),
        substitutes: ColumnName.optional().meta({
          description:
            'Items that may be used instead of the part, the first choice first: their keys or GUIDs, between semicolons or commas; `KEY=2` where 2 replace one.',
        }),
        lossPercent: ColumnName.optional().meta({
          description: 'What a build loses of the part, in percent of the quantity.',
        }),
        lossFixed: ColumnName.optional().meta({
          description: 'What each order loses of the part, whatever its size.',
        }),
        phantom: ColumnName.optional().meta({
          description:
            'Whether the part is a phantom here: it is not kept in stock, its own parts are needed instead. A yes or a no.',
        }),
      })
      .default({}),
    properties: z
      .record(z.string().min(1).max(255), PropertySource)
      .default({})
      .refine(
        (properties) =>
          Object.entries(properties).every(([key, source]) => key.includes('{n}') === isNumbered(source)),
        { error: '{n} stands both in the property and in its column, or in neither.' },
      )
      .meta({
        description:
          'By property. With `{n}` in both the property and its column it stands for 1 to 50: those columns that a file has are taken, none is demanded.',
        examples: [{ Mass: 'Mass kg', 'Supplier {n}': 'Supplier {n}' }],
      }),
    supplierParts: SupplierPartSources,
    structure: z
      .enum(['flat', 'levels', 'items', 'indented', 'dots', 'columns', 'paths', 'parent'])
      .default('flat')
      .meta({
        description:
          '`levels`: a number, also L1 or --2; `items`: 1, 1.1, 1.2; `indented`: by blanks; `dots`: by leading dots, plus signs or dashes; `columns`: by the column in which the text stands; `paths`: by the keys or names on the way down from the top, such as A/B/C, with or without that of the line itself; `parent`: by a column with the parent; `flat`: every line is below the root.',
      }),
    missingParents: z.enum(['wait', 'create']).default('wait').meta({
      description:
        'Parents that have no line of their own: `wait` leaves the link pending, `create` makes them parts.',
    }),
    quantity: z
      .enum(['perParent', 'extended'])
      .default('perParent')
      .meta({ description: '`extended`: for the top assembly; divided back, which must come out.' }),
    root: z
      .strictObject({
        number: z.string().min(1).max(255),
        name: z.string().max(1024).optional(),
        category: CategoryKey.optional(),
      })
      .optional()
      .meta({ description: 'The assembly that the topmost lines are in.' }),
    categories: z
      .strictObject({
        default: CategoryKey.default('part'),
        assembly: CategoryKey.optional().meta({ description: 'Of whatever has children.' }),
        rules: z.array(CategoryRule).max(100).default([]),
      })
      .default({ default: 'part', rules: [] }),
    exclude: z.array(Exclusion).max(20).default([]),
    fillDown: z
      .array(ColumnName)
      .max(50)
      .default([])
      .meta({ description: 'Columns of which an empty cell has the value above: merged cells.' }),
    nothing: z
      .array(Word)
      .max(50)
      .default(['-', '--', 'n/a', 'N/A', 'No value', '#N/A'])
      .meta({ description: 'Words that say that a cell is empty.' }),
    placeholders: z
      .array(Word)
      .max(100)
      .default([])
      .meta({
        description: 'Words that stand in place of a number: lines with them take `keyElse` as their key.',
        examples: [['OTS', 'TBD']],
      }),
    withoutVersion: z.boolean().default(false).meta({
      description: 'A version behind a name, such as "v3" or "(1)", is part of neither key nor name.',
    }),
    quantityWords: z
      .record(z.string().max(50), z.number().min(0))
      .default({})
      .meta({
        description:
          'What words in the column of quantities count as. 0 leaves the line out of its assembly.',
        examples: [{ AR: 0 }],
      }),
    notFitted: z.enum(['leaveOut', 'keep']).default('leaveOut').meta({
      description: 'Lines in which a cell says DNP, DNF, "not fitted" or the like.',
    }),
    watch: z.array(ColumnName).max(WATCHED_MAX).optional().meta({
      description:
        'Columns of no known meaning: two lines with one key that differ in one of them cause a warning. They may be missing.',
    }),
    variant: z.string().max(255).optional().meta({
      description: 'The variant of a board that is read from a netlist.',
    }),
    hiddenRows: z.enum(['read', 'leaveOut']).default('read').meta({
      description: 'Hidden rows of a workbook.',
    }),
    match: z.enum(['ask', 'number', 'guid']).default('ask').meta({
      description:
        'How lines without a GUID find the parts that the workspace has: `number` takes the part with the same number, `guid` only the one made from the key, `ask` asks where somebody can answer, proposes the part in a dry run, and refuses the file otherwise.',
    }),
    decimal: z.enum(['.', ',', 'unambiguous']).default('.').meta({
      description:
        'The decimal sign; the other one groups thousands. `unambiguous` refuses numbers that can be read in two ways, such as 1,000.',
    }),
    dates: z
      .enum(['ymd', 'dmy', 'mdy'])
      .default('ymd')
      .meta({ description: 'The order of day, month and year.' }),
    encoding: z
      .string()
      .max(50)
      .optional()
      .meta({ description: 'Of a text or STEP file that is not UTF-8.', examples: ['windows-1252'] }),
    delimiter: z.enum([',', ';', '\t', '|']).optional(),
    sheet: z
      .string()
      .max(255)
      .optional()
      .meta({ description: 'Of a workbook; default: the first visible one with the header.' }),
    productKey: z
      .enum(['id', 'name', 'id+name'])
      .optional()
      .meta({ description: 'What tells the products of a STEP file apart.' }),
  })
  .meta({
    id: 'ImportMapping',
    description: 'How the columns, fields or attributes of a file become parts and structure.',
  });
export type ImportDefinition = z.output<typeof ImportDefinition>;
export type ImportDefinitionInput = z.input<typeof ImportDefinition>;
