/** How scripts look, where they are written and where two of them are compared. */
import { HighlightStyle } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

export const look = EditorView.theme({
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

export const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword], color: 'var(--accent)' },
  { tag: [tags.string, tags.regexp], color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--live)' },
  { tag: tags.comment, color: 'var(--muted)' },
  { tag: tags.invalid, color: 'var(--bad)' },
]);

/** The style sheets that an editor makes carry the nonce that the policy asks for. */
export function policyNonce(): Extension {
  const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
  return nonce === '' ? [] : EditorView.cspNonce.of(nonce);
}
