/** Writes an answer as JSON, a large one in slices: a list of ten thousand is no reason to keep the others waiting. */
import type { Slices } from '../../fairness/slices.ts';
import type { Answer } from '../answer.ts';
import { RawJson } from '../raw-json.ts';

/** Items of a list that are written in one turn at least. */
const ITEMS_AT_ONCE = 20;

/** Returns the same answer, with a large body already serialised. */
export async function serialiseAnswer(answer: Answer, slices: Slices): Promise<Answer> {
  const { body, ...head } = answer;
  const pieces: string[] = [];
  if (isLongList(body)) {
    await writeList(body, pieces, slices);
    return { ...head, texts: pieces };
  }
  if (!hasLongList(body)) return answer;
  for (const [name, member] of Object.entries(body)) {
    if (member === undefined) continue;
    pieces.push(`${pieces.length === 0 ? '{' : ','}${JSON.stringify(name)}:`);
    if (isLongList(member)) await writeList(member, pieces, slices);
    else pieces.push(JSON.stringify(member));
  }
  pieces.push('}');
  return { ...head, texts: pieces };
}

async function writeList(list: readonly unknown[], pieces: string[], slices: Slices): Promise<void> {
  for (let from = 0; from < list.length; from += ITEMS_AT_ONCE) {
    if (slices.areDue) await slices.next();
    const some = list.slice(from, from + ITEMS_AT_ONCE);
    pieces.push(from === 0 ? '[' : ',');
    if (some.some(hasRaw)) await writeWithRaw(some, pieces, slices);
    else pieces.push(JSON.stringify(some).slice(1, -1));
  }
  pieces.push(']');
}

/** Member by member, so that what is JSON already goes as it is. */
async function writeWithRaw(list: readonly unknown[], pieces: string[], slices: Slices): Promise<void> {
  for (const [at, item] of list.entries()) {
    if (slices.areDue) await slices.next();
    let text = at === 0 ? '{' : ',{';
    let isFirst = true;
    for (const [name, value] of Object.entries(item as object)) {
      if (value === undefined) continue;
      text += `${isFirst ? '' : ','}${JSON.stringify(name)}:`;
      isFirst = false;
      if (value instanceof RawJson) {
        pieces.push(text, value.text);
        text = '';
      } else text += JSON.stringify(value);
    }
    pieces.push(`${text}}`);
  }
}

/** Items of one list have the same form: one that has such a member has others beside it. */
function hasRaw(item: unknown): boolean {
  if (typeof item !== 'object' || item === null) return false;
  for (const name in item) if ((item as Record<string, unknown>)[name] instanceof RawJson) return true;
  return false;
}

/** An object with a member that is one. The members of lists are JSON: they have no `toJSON` and are not undefined. */
function hasLongList(body: unknown): body is Record<string, unknown> {
  return (
    typeof body === 'object' && body !== null && !Array.isArray(body) && Object.values(body).some(isLongList)
  );
}

function isLongList(member: unknown): member is readonly unknown[] {
  return Array.isArray(member) && (member.length > ITEMS_AT_ONCE || member.some(hasRaw));
}
