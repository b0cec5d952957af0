/** Security headers: for the API nothing may be embedded or run; pages get what they need and no more. */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';

const shared = { crossOriginEmbedderPolicy: false } as const;

/** For JSON: a browser that is shown an answer as a page must do nothing with it. */
export const apiHeaders = constant(
  helmet({
    ...shared,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    crossOriginResourcePolicy: { policy: 'same-origin' },
  }),
);

/**
 * For the pages of bull-board and Scalar. Inline styles are allowed, because they set them; inline scripts and other hosts are not.
 */
export const pageHeaders = helmet({
  ...shared,
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:'],
      fontSrc: ["'self'", 'data:'],
      objectSrc: ["'none'"],
      baseUri: ["'self'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
    },
  },
});

/** For pages that the server writes: a style sheet and fonts of ours, forms that are sent here, and no scripts. */
export const consoleHeaders = helmet({
  ...shared,
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'"],
      fontSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
    },
  },
});

/**
 * For the page of the web app: its own files, and styles that carry the answer's nonce. No inline script, no style
 * attribute, nothing from elsewhere.
 */
export function appHeaders(nonce: string): ReturnType<typeof helmet> {
  return helmet({
    ...shared,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", `'nonce-${nonce}'`],
        styleSrcAttr: ["'none'"],
        imgSrc: ["'self'"],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        workerSrc: ["'self'"],
        manifestSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
  });
}

/**
 * For a worker of the web app that runs WebAssembly, which the page may not: it fetches its own files and does nothing else. A
 * worker obeys the policy of its own answer.
 */
export const wasmWorkerHeaders = helmet({
  ...shared,
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'wasm-unsafe-eval'"],
      connectSrc: ["'self'"],
      frameAncestors: ["'none'"],
    },
  },
});

type SetHeaders = (req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void) => void;

/**
 * Computes headers that are the same for every answer once: running helmet's fifteen functions costs as much as
 * routing.
 */
function constant(setHeaders: SetHeaders): SetHeaders {
  const req = new IncomingMessage(new Socket());
  const first = new ServerResponse(req);
  setHeaders(req, first, (error) => {
    if (error !== undefined) throw error;
  });
  const headers = first.getHeaderNames().map((name) => [name, first.getHeader(name) ?? ''] as const);
  return (_req, res, next) => {
    for (const [name, value] of headers) res.setHeader(name, value);
    next();
  };
}
