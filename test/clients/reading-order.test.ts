import { expect, test } from 'vitest';
import { inReadingOrder, nearestFirst, treeInReadingOrder } from '../../clients/typescript/reading-order.ts';

const line = (findNumber: string | null, number: string | null, name = '') => ({ findNumber, number, name });

test('a level of a structure is read by find numbers, then by numbers, then by names, 2 before 10', () => {
  const inOrder = [
    line('2', 'Z'),
    line('10', 'A'),
    line('10a', 'A'),
    line(null, 'M2'),
    line(null, 'M10', 'Nut'),
    line(null, 'M10', 'Screw'),
    line(null, null, 'Glue'),
  ];
  expect(inReadingOrder(inOrder.toReversed())).toEqual(inOrder);
});

test('each level of a tree is read in that order, and what is below an item stays behind it', () => {
  const at = (level: number, number: string) => ({ level, ...line(null, number) });
  const tree = [
    at(0, 'A'),
    at(1, 'B10'),
    at(2, 'Y'),
    at(2, 'X'),
    at(3, 'X1'),
    at(1, 'B2'),
    at(2, 'Z2'),
    at(2, 'Z1'),
    at(1, 'B1'),
  ];
  const numbers = treeInReadingOrder(tree).map(({ level, number }) => `${level} ${number}`);
  expect(numbers).toEqual(['0 A', '1 B1', '1 B2', '2 Z1', '2 Z2', '1 B10', '2 X', '3 X1', '2 Y']);
  expect(treeInReadingOrder([])).toEqual([]);
});

test('what is above an entity is read from the nearest level on, each by numbers, 2 before 10', () => {
  const inOrder = [
    { level: 1, number: 'Z', name: '' },
    { level: 2, number: 'M2', name: '' },
    { level: 2, number: 'M10', name: 'Arm' },
    { level: 2, number: 'M10', name: 'Leg' },
    { level: 2, number: null, name: 'A' },
    { level: 10, number: 'A', name: '' },
  ];
  expect(nearestFirst(inOrder.toReversed())).toEqual(inOrder);
});
