/** The words of a condition on a property, as its chip shows them. */
import { useQuery } from '@tanstack/react-query';
import { ask } from '../../client/ask.ts';
import { usePropertyDefinitions } from '../configuration.ts';
import { type Operator, words } from './condition-words.ts';

export function ConditionName({ text }: { text: string }) {
  const definitions = usePropertyDefinitions();
  // A key may contain colons: the longest that is defined is meant.
  const definition = definitions
    .filter(({ key }) => text.startsWith(`${key}:`))
    .toSorted((a, b) => b.key.length - a.key.length)[0];
  if (definition === undefined) return text;
  const rest = text.slice(definition.key.length + 1);
  const end = rest.indexOf(':');
  const operator = (end === -1 ? rest : rest.slice(0, end)) as Operator;
  const value = end === -1 ? '' : rest.slice(end + 1);
  if (operator === 'has' && value === '') return `${definition.name} is set`;
  if (definition.type === 'reference' && value !== '')
    return (
      <>
        {definition.name} {words[operator] ?? operator} <ReferredName id={value} />
      </>
    );
  return `${definition.name} ${words[operator] ?? operator} ${value}`.trim();
}

function ReferredName({ id }: { id: string }) {
  const { data } = useQuery({ ...ask('getEntity', { id }), retry: false });
  return data === undefined ? id : (data.number ?? data.name);
}
