/** What differs between two versions of a script, in one column, so that a phone shows it too. Loaded when it is asked for. */
import { javascript } from '@codemirror/lang-javascript';
import { syntaxHighlighting } from '@codemirror/language';
import { unifiedMergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import styles from './automations.module.css';
import { colours, look, policyNonce } from './script-look.ts';

const changes = EditorView.theme({
  '.cm-changedLine, .cm-insertedLine': { backgroundColor: 'var(--good-ground) !important' },
  '.cm-deletedChunk': { backgroundColor: 'var(--bad-ground) !important' },
  '.cm-changedText': { background: 'none !important', textDecoration: 'underline', color: 'var(--good)' },
  '.cm-deletedChunk .cm-deletedText': { background: 'none !important', color: 'var(--bad)' },
  '.cm-collapsedLines': {
    background: 'var(--sunken) !important',
    color: 'var(--secondary) !important',
  },
});

export function ScriptDiff({ before, after, label }: { before: string; after: string; label: string }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const editor = new EditorView({
      parent: place.current as HTMLDivElement,
      state: EditorState.create({
        doc: after,
        extensions: [
          policyNonce(),
          lineNumbers(),
          EditorView.lineWrapping,
          javascript(),
          syntaxHighlighting(colours),
          EditorState.readOnly.of(true),
          EditorView.editable.of(false),
          EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
          unifiedMergeView({
            original: before,
            mergeControls: false,
            collapseUnchanged: { margin: 3, minSize: 6 },
          }),
          look,
          changes,
        ],
      }),
    });
    return () => editor.destroy();
  }, [before, after, label]);
  return <div ref={place} className={styles.editor} />;
}
