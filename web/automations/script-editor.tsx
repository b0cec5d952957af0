/** The editor of a script: completion of what a script has, errors on their line. Loaded when it is first needed. */
import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { javascript } from '@codemirror/lang-javascript';
import { bracketMatching, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { Compartment, EditorState } from '@codemirror/state';
import { EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import type { ScriptFailure } from '../client/operations.ts';
import styles from './automations.module.css';
import { colours, look, policyNonce } from './script-look.ts';
import { openScriptTypes, type ScriptTypes } from './script-types.ts';

export interface ScriptEditorProps {
  script: string;
  contextTypeId: number;
  readOnly: boolean;
  failure: Pick<ScriptFailure, 'line' | 'column' | 'message'> | null;
  onChange: (script: string) => void;
}

export function ScriptEditor({ script, contextTypeId, readOnly, failure, onChange }: ScriptEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const changed = useRef(onChange);
  changed.current = onChange;
  const types = useRef<ScriptTypes | null>(null);
  const context = useRef(contextTypeId);
  context.current = contextTypeId;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor holds the text from then on
  useEffect(() => {
    const editable = new Compartment();
    types.current = readOnly ? null : openScriptTypes();
    const complete = (at: CompletionContext): Promise<CompletionResult | null> =>
      types.current?.complete(at, context.current) ?? Promise.resolve(null);
    const editor = new EditorView({
      parent: place.current as HTMLDivElement,
      state: EditorState.create({
        doc: script,
        extensions: [
          policyNonce(),
          lineNumbers(),
          history(),
          indentOnInput(),
          bracketMatching(),
          highlightActiveLine(),
          // Long lines break: what scrolls sideways cannot be reached by the keyboard on a phone.
          EditorView.lineWrapping,
          lintGutter(),
          javascript(),
          syntaxHighlighting(colours),
          autocompletion({ override: [complete], icons: false }),
          // Tab leaves the editor: the keyboard must not be caught in it.
          keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap]),
          editable.of([EditorState.readOnly.of(readOnly), EditorView.editable.of(!readOnly)]),
          EditorView.contentAttributes.of({ 'aria-label': 'Script', ...(readOnly ? { tabindex: '0' } : {}) }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) changed.current(update.state.doc.toString());
          }),
          look,
        ],
      }),
    });
    view.current = editor;
    return () => {
      editor.destroy();
      types.current?.close();
    };
  }, [readOnly]);
  // An older version is restored, or the script that somebody else saved is taken over.
  useEffect(() => {
    const editor = view.current;
    if (editor === null || editor.state.doc.toString() === script) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: script } });
  }, [script]);
  useEffect(() => {
    const editor = view.current;
    if (editor === null) return;
    const { doc } = editor.state;
    const found: Diagnostic[] = [];
    if (failure?.line != null && failure.line >= 1 && failure.line <= doc.lines) {
      const line = doc.line(failure.line);
      const from = Math.min(line.to, line.from + Math.max(0, (failure.column ?? 1) - 1));
      found.push({ from, to: line.to, severity: 'error', message: failure.message });
    }
    editor.dispatch(setDiagnostics(editor.state, found));
  }, [failure]);
  return <div ref={place} className={styles.editor} />;
}
