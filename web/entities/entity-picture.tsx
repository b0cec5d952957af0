/** The picture of an entity: shown, enlarged, replaced by a file that is chosen, dropped or pasted, and removed. */
import { Button, Modal } from '@mantine/core';
import { type DragEvent, useEffect, useRef, useState } from 'react';
import type { Entity } from '../client/operations.ts';
import { addressOf, send } from '../client/request.ts';
import { useMay } from '../client/session.ts';
import { pictureAddress } from '../components/charts/thumbnail.tsx';
import { DeleteDialog } from '../components/dialogs/delete-dialog.tsx';
import { ReturnFocus } from '../components/dialogs/use-return-focus.ts';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { useActs } from '../components/use-action.ts';
import styles from './entities.module.css';

const TYPES = ['image/png', 'image/jpeg', 'image/webp'];

const changes = [
  'getEntity',
  'listEntities',
  'listUses',
  'listWhereUsed',
  'getWhereUsedAll',
  'listRevisions',
  'getRevision',
  'compareRevisions',
] as const;

export function EntityPicture({ entity }: { entity: Entity }) {
  const mayEdit = useMay('engineering');
  const [shown, setShown] = useState<'picture' | 'removal' | null>(null);
  const [isOver, setIsOver] = useState(false);
  const [wrong, setWrong] = useState<Error | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const upload = useActs(
    async (file: File) => {
      const address = addressOf('setEntityPicture', { id: entity.id });
      const headers = { 'Content-Type': file.type, Accept: 'application/json' };
      return (await (await send(address, { method: 'PUT', body: file, headers })).json()) as Entity;
    },
    {
      changes,
      done: ({ revision, revisionNumber }) =>
        revisionNumber > entity.revisionNumber
          ? `The picture is in revision ${revision}.`
          : 'The picture is stored.',
    },
  );
  const take = (files: Iterable<File>) => {
    const [file] = files;
    if (file === undefined) return;
    const isPicture = TYPES.includes(file.type);
    setWrong(isPicture ? null : new Error(`${file.name} is not a PNG, JPEG or WebP file.`));
    if (isPicture) upload.mutate(file);
  };
  usePaste(mayEdit && shown !== 'removal' ? take : null);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    take(event.dataTransfer.files);
  };
  const { picture } = entity;
  if (picture === null && !mayEdit) return null;
  const name = `${entity.number ?? ''} ${entity.name}`.trim();
  const fault = wrong ?? upload.error;
  const choose = () => input.current?.click();
  return (
    <>
      <button
        type="button"
        className={styles.picturePlace}
        data-empty={picture === null ? '' : undefined}
        data-over={isOver ? '' : undefined}
        aria-label={picture === null ? 'Add a picture' : `Enlarge the picture of ${name}`}
        disabled={upload.isPending}
        onClick={() => (picture === null ? choose() : setShown('picture'))}
        onDragOver={(event) => {
          if (!mayEdit) return;
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={mayEdit ? drop : undefined}
      >
        {upload.isPending ? (
          'Uploading…'
        ) : picture === null ? (
          'Add a picture'
        ) : (
          <img src={pictureAddress(picture, '256')} alt={name} />
        )}
      </button>
      {mayEdit && (
        <input
          ref={input}
          type="file"
          hidden
          accept={TYPES.join(',')}
          aria-label="Picture file"
          onChange={(event) => {
            take(event.currentTarget.files ?? []);
            // The same file can be chosen again.
            event.currentTarget.value = '';
          }}
        />
      )}
      {fault !== null && (
        <div className={styles.pictureFault}>
          <ProblemPanel error={fault} />
        </div>
      )}
      {shown === 'picture' && picture !== null && (
        <Modal opened onClose={() => setShown(null)} title={name} size="xl">
          <ReturnFocus />
          <img className={styles.largePicture} src={pictureAddress(picture, '1024')} alt={name} />
          <div className={styles.buttons}>
            <Button
              component="a"
              variant="default"
              href={pictureAddress(picture, 'original')}
              target="_blank"
              rel="noreferrer"
            >
              Open the file
            </Button>
            {mayEdit && (
              <>
                <Button variant="default" onClick={() => setShown('removal')}>
                  Remove
                </Button>
                <Button
                  onClick={() => {
                    setShown(null);
                    choose();
                  }}
                >
                  Replace
                </Button>
              </>
            )}
          </div>
        </Modal>
      )}
      {shown === 'removal' && (
        <DeleteDialog
          operation="deleteEntityPicture"
          input={{ id: entity.id }}
          changes={changes}
          what="the picture"
          verb="Remove"
          consequence={
            entity.released
              ? `Revision ${entity.revision} keeps its picture; the next revision has none.`
              : `${name} will have no picture.`
          }
          done="The picture is removed."
          onClose={() => setShown(null)}
        />
      )}
    </>
  );
}

/** Takes a picture that is pasted anywhere on the page, except into a field. */
function usePaste(take: ((files: Iterable<File>) => void) | null): void {
  const latest = useRef(take);
  latest.current = take;
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      const files = event.clipboardData?.files;
      const isField = event.target instanceof Element && event.target.closest('input, textarea') !== null;
      if (latest.current === null || isField || files === undefined || files.length === 0) return;
      event.preventDefault();
      latest.current(files);
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, []);
}
