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
  return {
    complete: async (at, contextTypeId) => {
      const word = at.matchBefore(/[\w$]*/);
      const before = at.state.sliceDoc(Math.max(0, (word?.from ?? at.pos) - 1), word?.from ?? at.pos);
      if (!at.explicit && before !== '.' && (word === null || word.from === word.to)) return null;
      const id = ++last;
      const answer = await new Promise<TypesAnswer>((resolve) => {
        waiting.set(id, resolve);
        const question: TypesQuestion = {
          id,
          script: at.state.doc.toString(),
          position: at.pos,
          contextTypeId,
        };
        worker.postMessage(question);
      });
      if (at.aborted || answer.options.length === 0) return null;
      return {
        from: word?.from ?? at.pos,
        validFor: /^[\w$]*$/,
        options: answer.options.map(({ label, kind, detail }) => ({ label, type: kind, detail })),
      };
    },
    close: () => worker.terminate(),
  };
}
