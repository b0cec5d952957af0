// Maps in requests.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createDocument } from 'zod-openapi';
import { validateInput } from '../../src/http/bodies/validate-input.ts';
import { mapOf } from '../../src/http/map-of.ts';

const Body = z.strictObject({ properties: mapOf(z.union([z.string(), z.null()]), 3).optional() });

test('keys such as __proto__ and constructor are ordinary', () => {
  const json = '{"properties":{"__proto__":"a","constructor":"b","toString":null}}';
  const body = validateInput(Body, JSON.parse(json), 'body');
  expect(JSON.stringify(body)).toBe(json);
  expect(Object.getPrototypeOf(body.properties)).toBe(Object.prototype);
});

test('a value that does not fit has its pointer; too many keys and other types are refused', () => {
  const refused = (value: unknown) => {
    try {
      validateInput(Body, value, 'body');
    } catch (error) {
      return (error as { errors: unknown }).errors;
    }
    return null;
  };
  expect(refused({ properties: { 'a/b': 1 } })).toMatchObject([{ pointer: '/properties/a~1b' }]);
  expect(refused({ properties: { a: '', b: '', c: '', d: '' } })).toMatchObject([
    { pointer: '/properties', code: 'too_big' },
  ]);
  for (const other of ['x', [], null, 1]) {
    expect(refused({ properties: other })).toMatchObject([{ pointer: '/properties' }]);
  }
  expect(refused({})).toBeNull();
});

test('the reference shows a map', () => {
  const document = createDocument({
    openapi: '3.1.1',
    info: { title: 't', version: '1' },
    paths: {
      '/': { post: { requestBody: { content: { 'application/json': { schema: Body } } }, responses: {} } },
    },
  });
  expect(document.paths?.['/']?.post?.requestBody).toMatchObject({
    content: {
      'application/json': {
        schema: {
          properties: {
            properties: {
              type: 'object',
              additionalProperties: { type: ['string', 'null'] },
              maxProperties: 3,
            },
          },
        },
      },
    },
  });
});
