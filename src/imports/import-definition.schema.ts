/** Import definitions as the API shows them. */
import { z } from 'zod';
import { ImportDefinition as ImportMapping } from '../../clients/readers/definition/import-definition.schema.ts';
import { readOnly } from '../http/read-only.ts';

const DefinitionName = z
  .string()
  .regex(/^[A-Za-z0-9._ -]{1,100}$/)
  .meta({ description: 'Becomes the `profileName` of batches.', examples: ['solidworks-pdm'] });

export const DefinitionParams = z.strictObject({
  name: z
    .string()
    .max(100)
    .meta({ description: 'Name of the import definition.', examples: ['solidworks-pdm'] }),
});

export const ImportDefinition = z
  .strictObject({
    name: DefinitionName,
    version: z
      .int()
      .min(1)
      .meta({ description: 'Number of its changes, from 1.', examples: [1] }),
    mapping: ImportMapping,
    createdAt: z.iso.datetime().meta({ description: 'When it was created.' }),
    updatedAt: z.iso.datetime().meta({ description: 'When it was last changed.' }),
  })
  .meta({
    id: 'ImportDefinition',
    description: 'A named mapping from files of a tool to elements of a sync.',
  });
export type ImportDefinition = z.infer<typeof ImportDefinition>;

export const NewImportDefinition = z
  .strictObject({ name: DefinitionName, mapping: ImportMapping })
  .meta({ id: 'NewImportDefinition' });

export const ImportDefinitionReplacement = z
  .strictObject({
    mapping: ImportMapping,
    ...readOnly(ImportDefinition, ['name', 'version', 'createdAt', 'updatedAt']),
  })
  .meta({ id: 'ImportDefinitionReplacement' });

const ROWS_MAX = 300;
const CELLS_MAX = 500;

export const FirstRows = z
  .strictObject({
    rows: z
      .array(z.array(z.string().max(10_000)).max(CELLS_MAX))
      .min(1)
      .max(ROWS_MAX)
      .meta({
        description: 'The first rows of a table as they are in the file, including titles and header.',
        examples: [
          [
            ['Part number', 'Description', 'Qty', 'Level'],
            ['A-100', 'Frame', '1', '0'],
            ['P-7', 'Screw', '4', '1'],
          ],
        ],
      }),
    delimiter: z.enum([',', ';', '\t', '|']).optional().meta({
      description: 'The sign between the columns of the text, which helps to tell the decimal sign.',
    }),
  })
  .meta({ id: 'FirstRows' });

export const SuggestedDefinition = z
  .object({
    mapping: ImportMapping.nullable().meta({ description: 'Null if no row looks like a header.' }),
    headerRow: z
      .int()
      .min(0)
      .nullable()
      .meta({ description: 'Index of the header row, from 0.', examples: [0] }),
    unused: z.array(z.string()).meta({ description: 'Columns that are not used.', examples: [['Colour']] }),
    newProperties: z.array(z.object({ key: z.string(), name: z.string(), type: z.literal('text') })).meta({
      description:
        'A property definition for each unused column. To keep the values, create each with `POST /property-definitions` and add it to `properties` of the mapping with its key as the column.',
      examples: [[{ key: 'Colour', name: 'Colour', type: 'text' }]],
    }),
    warnings: z
      .array(
        z.object({
          code: z
            .enum([
              'no_quantities',
              'kept_apart',
              'by_name',
              'placeholders',
              'parents_created',
              'parents_filled',
              'lines_differ',
              'phantom_lines',
              'line_numbers',
              'decimal_unknown',
              'other_sheet',
              'category_values',
              'unit_converted',
              'unit_unfit',
              'unit_unknown',
            ])
            .meta({ description: 'Stable, for programs.' }),
          message: z.string().meta({ description: 'The same for people.' }),
        }),
      )
      .meta({ description: 'Rules of the suggestion that somebody may want otherwise.', examples: [[]] }),
    problems: z.array(z.object({ code: z.enum(['structure_unclear']), message: z.string() })).meta({
      description: 'What must be settled before the table is read: it would be read wrongly otherwise.',
      examples: [[]],
    }),
    tool: z
      .string()
      .nullable()
      .meta({
        description: 'The tool that writes tables like this one, where it is known.',
        examples: ['SOLIDWORKS'],
      }),
    categories: z
      .object({ column: z.string(), values: z.array(z.string()) })
      .nullable()
      .meta({
        description: 'Values in the column of categories that are no categories of the workspace.',
        examples: [{ column: 'Type', values: ['Fastener'] }],
      }),
  })
  .meta({ id: 'SuggestedDefinition', description: 'Questions for somebody who knows the file.' });
