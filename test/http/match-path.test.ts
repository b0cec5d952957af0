import { expect, test } from 'vitest';
import { PathMatcher } from '../../src/http/pipeline/match-path.ts';

const paths = new PathMatcher<string>();
for (const pattern of ['/a/{id}', '/a/system', '/a/{id}/runs', '/a/system/{name}/x', '/b/{one}/{two}', '/c'])
  paths.add(pattern, pattern);
const found = (path: string) => {
  const match = paths.match(path);
  return match === null ? null : [match.value, { ...match.params }];
};

test('of two patterns that fit, the one with the literal segment wins, where it leads on', () => {
  expect(found('/a/system')).toEqual(['/a/system', {}]);
  expect(found('/a/7')).toEqual(['/a/{id}', { id: '7' }]);
  expect(found('/a/system/runs')).toEqual(['/a/{id}/runs', { id: 'system' }]);
  expect(found('/a/system/n/x')).toEqual(['/a/system/{name}/x', { name: 'n' }]);
  expect(found('/b/x/y')).toEqual(['/b/{one}/{two}', { one: 'x', two: 'y' }]);
});

test('parameters are decoded, one segment each, and never empty', () => {
  expect(found('/a/%C3%A9%2F__proto__')).toEqual(['/a/{id}', { id: 'é/__proto__' }]);
  for (const path of ['/a/', '/a', '/a/1/', '/A/1', '/c/', '//c', '/b//y', '', `/c${'/'.repeat(10_000)}`])
    expect(found(path), path.slice(0, 20)).toBeNull();
  expect(() => paths.match('/a/%FF')).toThrow(URIError);
});

test('a pattern that is there already is a mistake', () => {
  expect(() => paths.add('/c', 'again')).toThrow('/c is there twice');
});
