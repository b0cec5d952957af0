/**
 * What an import definition says: how the columns, fields or attributes of a file become parts and structure. The same
 * one serves the command line, a watched folder, an upload and a CSV sent to the service.
 */
import { z } from 'zod';
import { isGuid } from '../guid.ts';
import { isNumbered } from './numbered.ts';

const ColumnName = z.string().trim().min(1).max(255);
const CategoryKey = z.string().min(1).max(100);
const Word = z.string().max(255);

export const PropertySource = z
  .union([
    ColumnName,
    z.strictObject({
      column: ColumnName,
      type: z.enum(['text', 'numeric', 'date', 'boolean']).default('text'),
      units: z
        .record(z.string().max(50), z.number().positive())
        .optional()
        .meta({
          description: 'What a number is multiplied by for the unit that stands behind it.',
          examples: [{ kg: 1, g: 0.001 }],
        }),
    }),
  ])
  .meta({ description: 'A column, or a column with what its values are.' });

const Exclusion = z.strictObject({
  column: ColumnName,
  values: z.array(Word).max(100).optional().meta({
    description: 'Lines with one of these are left out; without it, lines with anything that is no "no".',
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
        quantity: ColumnName.optional(),
        level: ColumnName.optional().meta({
          description: 'Where level, item number, indentation or dots stand.',
        }),
        parent: ColumnName.optional().meta({ description: 'The key of the parent.' }),
        references: ColumnName.optional().meta({
          description: 'Reference designators; checked against the quantity.',
        }),
        findNumber: ColumnName.optional(),
        unit: ColumnName.optional(),
        note: ColumnName.optional().meta({
          description: 'What is said of this use of the part, not of the part.',
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
    structure: z.enum(['flat', 'levels', 'items', 'indented', 'dots', 'parent']).default('flat').meta({
      description:
        '`levels`: a number; `items`: 1, 1.1, 1.2; `indented`: by blanks; `dots`: by leading dots; `parent`: by a column; `flat`: every line below the root.',
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
    decimal: z
      .enum(['.', ','])
      .default('.')
      .meta({ description: 'The decimal sign; the other one groups thousands.' }),
    dates: z
      .enum(['ymd', 'dmy', 'mdy'])
      .default('ymd')
      .meta({ description: 'The order of day, month and year.' }),
    encoding: z
      .string()
      .max(50)
      .optional()
      .meta({ description: 'Of a text that is not UTF-8.', examples: ['windows-1252'] }),
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
