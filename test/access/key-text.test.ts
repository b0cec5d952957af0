// The text form of keys.
import { expect, test } from 'vitest';
import { hashKey, keyTextFault, makeKey } from '../../src/access/key-text.ts';

test('a made key is pbk_ and 46 base62 characters, and well formed', () => {
  const keys = Array.from({ length: 200 }, makeKey);
  expect(new Set(keys).size).toBe(200);
  for (const key of keys) {
    expect(key).toMatch(/^pbk_[0-9A-Za-z]{46}$/);
    expect(keyTextFault(key)).toBeNull();
  }
});

test('any one mistyped character, and any two that changed places, are found', () => {
  const key = makeKey();
  for (let i = 4; i < key.length; i++) {
    const other = key[i] === 'x' ? 'y' : 'x';
    expect(keyTextFault(key.slice(0, i) + other + key.slice(i + 1))).toBe('mistyped');
    const swapped = key.slice(0, i - 1) + key[i] + key[i - 1] + key.slice(i + 1);
    if (i > 4 && swapped !== key) expect(keyTextFault(swapped)).toBe('mistyped');
  }
});

test('anything else is malformed', () => {
  for (const text of [
    '',
    'pbk_',
    makeKey().slice(1),
    `${makeKey()}a`,
    `${makeKey().slice(0, -1)}-`,
    'ü'.repeat(50),
  ]) {
    expect(keyTextFault(text)).toBe('malformed');
  }
});

test('the hash is SHA-256', () => {
  expect(hashKey('abc').toString('hex')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});
