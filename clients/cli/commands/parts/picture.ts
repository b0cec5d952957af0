/** `partbook picture`: uploads the picture of a part, or removes it. */
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { Command } from 'commander';
import { UsageError } from '../../exit-codes.ts';
import { shown } from '../../output.ts';
import { entityId, openSession } from '../../session.ts';

const mediaTypes: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
};

export function addPicture(program: Command): void {
  const command = program
    .command('picture <entity> [file]')
    .description('set the picture of an entity from a PNG, JPEG or WebP file (number, guid:… or id)')
    .option('--remove', 'remove the picture')
    .action(async (reference: string, file: string | undefined, { remove }: { remove?: boolean }) => {
      if ((file === undefined) !== (remove === true)) throw new UsageError('Either a file or --remove.');
      const picture = file === undefined ? null : await readPicture(file);
      const session = openSession(command);
      const { partbook, output, signal } = session;
      const id = await entityId(session, reference);
      const entity =
        picture === null
          ? await partbook('DELETE /entities/{id}/picture', { id }, { signal })
          : await partbook(
              'PUT /entities/{id}/picture',
              { id },
              { signal, stream: () => picture.bytes, contentType: picture.mediaType },
            );
      const done = picture === null ? 'has no picture' : 'has a new picture';
      output.answer(
        entity,
        () => `${entity.number ?? entity.id} ${entity.name}, revision ${entity.revision}: ${done}`,
      );
    });
}

async function readPicture(file: string): Promise<{ bytes: Uint8Array; mediaType: string }> {
  const mediaType = mediaTypes[extname(file).toLowerCase()];
  if (mediaType === undefined)
    throw new UsageError(`${shown(file)} is not named as a PNG, JPEG or WebP file (.png, .jpg, .webp).`);
  try {
    return { bytes: await readFile(file), mediaType };
  } catch (error) {
    throw new UsageError(`${shown(file)} cannot be read: ${(error as Error).message}.`);
  }
}
