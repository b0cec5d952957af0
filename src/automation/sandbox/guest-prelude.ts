/**
 * The JavaScript that runs in the guest before the script: it makes `api` and `console`, fixes time and
 * chance, and keeps the originals of everything it needs, so that nothing the script redefines is used to
 * run it. It is no wall: whatever a script gets hold of in here is still inside the guest. The wall is the
 * two host functions, which take text and check it.
 */

/** Name of the prelude in stack traces, where its frames are left out. */
export const PRELUDE_FILE = 'partbook.js';

/** Characters of an error's own text that leave the guest; the rest is of no use to a person. */
const ERROR_CHARS_MAX = 4096;
/** Causes of an error that are shown, each the cause of the one before. */
const CAUSES_MAX = 5;

/**
 * Evaluates to a function `(hostLog, hostCall, methodsText) => { begin, start, settle, finish, describe }`; `methods`
 * is a JSON list. It runs once per thread (see guest-image.ts), so what differs from run to run comes with
 * `begin`, whose `settings` are `{ now, seed, logChars, callChars, resultChars, scriptChars }` as JSON.
 */
export const guestPrelude = `(function (hostLog, hostCall, methodsText) {
'use strict';
const { apply, construct, defineProperty, ownKeys } = Reflect;
const { parse, stringify } = JSON;
const { freeze, create } = Object;
const PlainError = Error, PlainDate = Date, PlainPromise = Promise, text = String;
const { then } = Promise.prototype;
const functionText = Function.prototype.toString, slice = String.prototype.slice, join = Array.prototype.join;
const { isFinite: isFiniteNumber } = Number, PlainNumber = Number, PlainMap = Map, PlainSet = Set;
const { valueOf: numberOf } = Number.prototype;
const { isError } = Error;
const methods = parse(methodsText);
let settings, now = 0, a = 0, b = 0, c = 0, d = 0;
const clip = (value, max) => value.length > max ? apply(slice, value, [0, max]) : value;
const define = (object, key, value) => defineProperty(object, key, { value, writable: true, configurable: true });

const FixedDate = function Date(...values) {
  if (new.target === undefined) return text(new PlainDate(now));
  return construct(PlainDate, values.length === 0 ? [now] : values, new.target);
};
define(FixedDate, 'length', 7);
define(FixedDate, 'UTC', PlainDate.UTC);
define(FixedDate, 'parse', PlainDate.parse);
define(FixedDate, 'now', function now_() { return now; });
defineProperty(FixedDate, 'prototype', { value: PlainDate.prototype, writable: false });
define(PlainDate.prototype, 'constructor', FixedDate);
define(globalThis, 'Date', FixedDate);

const random32 = () => {
  const t = (a + b | 0) + d | 0;
  d = d + 1 | 0; a = b ^ b >>> 9; b = c + (c << 3) | 0; c = (c << 21 | c >>> 11) + t | 0;
  return t >>> 0;
};
define(Math, 'random', function random() { return (random32() * 2097152 + (random32() >>> 11)) / 9007199254740992; });
delete globalThis.WeakRef; delete globalThis.FinalizationRegistry; delete globalThis.SharedArrayBuffer;

class ApiError extends PlainError {
  static { define(this.prototype, 'name', 'ApiError'); }
  #reason = false;
  static refuse(error, method, code, message) {
    error.#reason = true;
    define(error, 'message', message); define(error, 'code', code); define(error, 'method', method);
    return error;
  }
  static is(value) { return #reason in value && value.#reason; }
}
const { refuse, is: isRefusal } = ApiError;
class ApiPromise extends PlainPromise {
  static get [Symbol.species]() { return PlainPromise; }
  #call;
  static of(call) {
    const promise = new ApiPromise((resolve, reject) => { call.resolve = resolve; call.reject = reject; });
    promise.#call = call;
    return promise;
  }
  then(done, failed) {
    if (#call in this && this.#call !== undefined) this.#call.used = true;
    return apply(then, this, [done, failed]);
  }
}
const promiseOf = ApiPromise.of;

// JSON has no NaN, no Infinity and no invalid date: "stringify" writes null for them, and null means "clear". An
// own replacer sees them first. It returns the word that says what a value is, or null where JSON can hold it.
const lost = (holder, key, value) => {
  const before = holder[key];
  if (typeof value === 'object' && value !== null && value instanceof PlainNumber) value = apply(numberOf, value, []);
  if (typeof value === 'number') return isFiniteNumber(value) ? null : text(value);
  if (value === null) return before === null ? null : 'an invalid date, or an object that turns itself into null';
  if (typeof value === 'function' || typeof value === 'symbol') return 'a ' + typeof value;
  if (value instanceof PlainMap) return 'a Map';
  return value instanceof PlainSet ? 'a Set' : null;
};
const shownInJson = function (key, value) {
  if (typeof value === 'bigint') return text(value) + 'n';
  const number = typeof value === 'object' && value !== null && value instanceof PlainNumber ? apply(numberOf, value, []) : value;
  return typeof number === 'number' && !isFiniteNumber(number) ? text(number) : value;
};

const show = (value) => {
  if (typeof value === 'string') return value;
  try {
    if (isError(value)) return text(value);
    if (typeof value === 'object' && value !== null) return stringify(value, shownInJson) ?? '[object]';
    if (typeof value === 'function') return '[function ' + text(value.name) + ']';
    return text(value);
  } catch { return '[cannot be shown]'; }
};
const shown = (values) => {
  const texts = [];
  for (let i = 0; i < values.length; i++) define(texts, i, clip(show(values[i]), settings.logChars));
  return clip(apply(join, texts, [' ']), settings.logChars);
};
const logger = (level, name) => ({ [name](...values) { hostLog(level, stringify(shown(values)), new PlainError().stack); } })[name];

// The engine has no locale data: it ignores these arguments, and a script shall not believe otherwise.
const warned = create(null);
const warnOfLocale = (prototype, name, place) => {
  const original = prototype[name];
  const own = { [name](...values) {
    if (!warned[name] && (values[place] !== undefined || values[place + 1] !== undefined)) {
      warned[name] = true;
      hostLog('warn', stringify(name + ' ignores its locale and options: scripts have no locale data, so the text is the same everywhere'), new PlainError().stack);
    }
    return apply(original, this, values);
  } }[name];
  defineProperty(own, 'length', { value: original.length });
  define(prototype, name, own);
};
for (const name of ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString']) warnOfLocale(PlainDate.prototype, name, 0);
for (const name of ['toLocaleUpperCase', 'toLocaleLowerCase']) warnOfLocale(text.prototype, name, 0);
for (const { prototype } of [PlainNumber, BigInt, Array]) warnOfLocale(prototype, 'toLocaleString', 0);
warnOfLocale(text.prototype, 'localeCompare', 1);

const calls = create(null);
let lastId = 0;
const caller = (method) => ({ [method](...values) {
  const error = new ApiError();
  let count = values.length;
  while (count > 0 && values[count - 1] === undefined) count--;
  values.length = count;
  let args;
  let fault = null;
  const check = function (key, value) {
    const what = lost(this, key, value);
    if (what !== null && fault === null) fault = (key === '' || this === values ? 'an argument' : key) + ' is ' + what;
    return value;
  };
  try { args = stringify(values, check); } catch (cause) {
    throw refuse(error, method, 'validation_failed', method + ': the arguments are not JSON: ' + show(cause));
  }
  if (fault !== null)
    throw refuse(error, method, 'validation_failed', method + ': ' + fault + ', which JSON cannot hold. Only an explicit null clears a value');
  if (typeof args !== 'string' || args.length > settings.callChars)
    throw refuse(error, method, 'arguments_too_large', method + ': the arguments are larger than ' + settings.callChars + ' bytes of JSON');
  const id = ++lastId;
  const call = { __proto__: null, method, error, used: false, settled: false, resolve: null, reject: null };
  const promise = promiseOf(call);
  calls[id] = call;
  hostCall(id, method, args, error.stack);
  return promise;
} })[method];

const api = create(null);
api.log = logger('info', 'log'); api.warn = logger('warn', 'warn'); api.error = logger('error', 'error');
// A name with a dot is one of a group.
const groups = [];
for (let i = 0; i < methods.length; i++) {
  const [group, name] = methods[i].split('.');
  if (name !== undefined && api[group] === undefined) groups.push(api[group] = create(null));
  if (name === undefined) api[group] = caller(methods[i]); else api[group][name] = caller(methods[i]);
}
const console = create(null);
console.log = console.info = console.debug = api.log; console.warn = api.warn; console.error = api.error;
for (const object of [...groups, api, console]) {
  for (const key of ownKeys(object)) freeze(object[key]);
  freeze(object);
}

return freeze({ __proto__: null,
  begin(settingsText) {
    settings = parse(settingsText);
    now = settings.now;
    [a, b, c, d] = settings.seed;
  },
  start(script, contextText) {
    // Anything else means that the script closed the wrapper's bracket; nobody has been given "api" then.
    if (typeof script !== 'function' || apply(functionText, script, []).length !== settings.scriptChars) return;
    return script(parse(contextText), api, console);
  },
  settle(id, ok, first, second) {
    const call = calls[id];
    call.settled = true;
    if (ok) call.resolve(first === '' ? undefined : parse(first));
    else call.reject(refuse(call.error, call.method, first, second));
  },
  finish(value) {
    let fault = null;
    const result = stringify(value, function (key, inner) {
      const number = typeof inner === 'object' && inner !== null && inner instanceof PlainNumber ? apply(numberOf, inner, []) : inner;
      if (fault === null && typeof number === 'number' && !isFiniteNumber(number)) fault = (key === '' ? 'The result' : key + ' in the result') + ' is ' + text(number);
      return inner;
    });
    if (fault !== null) hostLog('warn', stringify(fault + ', which JSON cannot hold: it is kept as null'), '');
    if (result !== undefined && result.length > settings.resultChars) return '!size';
    for (let id = 1; id <= lastId; id++)
      if (!calls[id].used || !calls[id].settled) return '!call' + calls[id].method + '\\n' + calls[id].error.stack;
    return result ?? '';
  },
  describe(reason) {
    const out = { __proto__: null, thrown: typeof reason, api: false };
    if (typeof reason === 'object' && reason !== null || typeof reason === 'function') {
      try { out.api = isRefusal(reason); } catch {}
      try { out.error = isError(reason); } catch {}
      const keys = ['name', 'message', 'stack', 'fileName', 'lineNumber', 'columnNumber', 'code'];
      for (let i = 0; i < keys.length; i++) {
        try {
          const value = reason[keys[i]];
          if (typeof value === 'string') out[keys[i]] = clip(value, ${ERROR_CHARS_MAX});
          else if (typeof value === 'number') out[keys[i]] = value;
        } catch {}
      }
      out.causes = [];
      for (let inner = reason; out.causes.length < ${CAUSES_MAX};) {
        let cause, stack = '';
        try {
          if (!isError(inner)) break;
          cause = inner.cause;
          if (cause === undefined || cause === null) break;
          if (isError(cause) && typeof cause.stack === 'string') stack = cause.stack;
        } catch { break; }
        define(out.causes, out.causes.length, { __proto__: null, shown: clip(show(cause), ${ERROR_CHARS_MAX}), stack: clip(stack, ${ERROR_CHARS_MAX}) });
        inner = cause;
      }
      if (!out.error && typeof out.message !== 'string') out.message = clip(show(reason), ${ERROR_CHARS_MAX});
    } else out.message = clip(show(reason), ${ERROR_CHARS_MAX});
    return stringify(out);
  },
});
})`;
