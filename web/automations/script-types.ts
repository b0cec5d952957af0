/** Completion by the types of what a script has: asked of a thread, so that typing never waits for it. */
import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete';

export interface TypesQuestion {
  id: number;
  script: string;
  position: number;
  contextTypeId: number;
}

export interface TypesAnswer {
  id: number;
  options: { label: string; kind: string; detail: string }[];
}

export interface ScriptTypes {
  complete: (at: CompletionContext, contextTypeId: number) => Promise<CompletionResult | null>;
  close: () => void;
}

export function openScriptTypes(): ScriptTypes {
  const worker = new Worker(new URL('./types.worker.ts', import.meta.url), { type: 'module' });
  const waiting = new Map<number, (answer: TypesAnswer) => void>();
  let last = 0;
  worker.onmessage = ({ data }: MessageEvent<TypesAnswer>) => {
    waiting.get(data.id)?.(data);
    waiting.delete(data.id);
  };
  const ask = (question: Omit<TypesQuestion, 'id'>) =>
    new Promise<TypesAnswer>((resolve) => {
      const id = ++last;
      waiting.set(id, resolve);
      worker.postMessage({ ...question, id } satisfies TypesQuestion);
    });
  /** When the thread has answered all that it was asked. */
  let free: Promise<unknown> = Promise.resolve();
  return {
    complete: async (at, contextTypeId) => {
      const word = at.matchBefore(/[\w$]*/);
      const before = at.state.sliceDoc(Math.max(0, (word?.from ?? at.pos) - 1), word?.from ?? at.pos);
      if (!at.explicit && before !== '.' && (word === null || word.from === word.to)) return null;
      // What is typed before the answer is there asks anew. An answer without options would else be taken for one to that too, and a list
      // that was asked for while the thread still loaded would never open.
      at.addEventListener('abort', () => {}, { onDocChange: true });
      const question = { script: at.state.doc.toString(), position: at.pos, contextTypeId };
      const answering = free.then(() => (at.aborted ? null : ask(question)));
      free = answering;
      const answer = await answering;
      if (answer === null || at.aborted || answer.options.length === 0) return null;
      return {
        from: word?.from ?? at.pos,
        validFor: /^[\w$]*$/,
        options: answer.options.map(({ label, kind, detail }) => ({ label, type: kind, detail })),
      };
    },
    close: () => worker.terminate(),
  };
}
