/** The editor of a script: completion of what a script has, errors on their line. Loaded when it is first needed. */
import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { javascript } from '@codemirror/lang-javascript';
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { Compartment, EditorState } from '@codemirror/state';
import { EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';
import type { ScriptFailure } from '../client/operations.ts';
import styles from './automations.module.css';
import { openScriptTypes, type ScriptTypes } from './script-types.ts';

export interface ScriptEditorProps {
  script: string;
  contextTypeId: number;
  readOnly: boolean;
  failure: Pick<ScriptFailure, 'line' | 'column' | 'message'> | null;
  onChange: (script: string) => void;
}

const look = EditorView.theme({
  '&': { fontSize: '13px', backgroundColor: 'var(--surface)', color: 'var(--ink)' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', minHeight: '320px', maxHeight: '60vh' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': {
    backgroundColor: 'var(--surface)',
    color: 'var(--muted)',
    borderRight: '1px solid var(--line)',
  },
  '.cm-activeLine': { backgroundColor: 'var(--canvas)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground, ::selection': {
    backgroundColor: 'var(--accent-ground) !important',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--surface)',
    color: 'var(--ink)',
    border: '1px solid var(--line)',
    boxShadow: 'var(--shadow)',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--accent-ground)',
    color: 'var(--ink)',
  },
  '.cm-completionDetail': { color: 'var(--muted)', fontStyle: 'normal' },
  // The library's own are images in the style sheet, which the policy refuses.
  '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--bad)' },
  '.cm-lint-marker-error': { content: '"●"', color: 'var(--bad)' },
});

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword], color: 'var(--accent)' },
  { tag: [tags.string, tags.regexp], color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--live)' },
  { tag: tags.comment, color: 'var(--muted)' },
  { tag: tags.invalid, color: 'var(--bad)' },
]);

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
    const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
    types.current = readOnly ? null : openScriptTypes();
    const complete = (at: CompletionContext): Promise<CompletionResult | null> =>
      types.current?.complete(at, context.current) ?? Promise.resolve(null);
    const editor = new EditorView({
      parent: place.current as HTMLDivElement,
      state: EditorState.create({
        doc: script,
        extensions: [
          ...(nonce === '' ? [] : [EditorView.cspNonce.of(nonce)]),
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
