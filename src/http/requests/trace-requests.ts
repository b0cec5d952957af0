/** The span of a request, by the HTTP conventions of OpenTelemetry. Nothing where nobody traces. */
import type { NextFunction, Request, Response } from 'express';
import { openSpan } from '../../telemetry/tracing.ts';
import { continueTrace, identityOf } from './identify-request.ts';
import { notesOf } from './log-requests.ts';

export function traceRequests(req: Request, res: Response, next: NextFunction): void {
  const { traceparent, requestId } = identityOf(req);
  const span = openSpan({ name: req.method, kind: 'server', traceparent });
  if (span === null) {
    next();
    return;
  }
  continueTrace(req, span.traceparent);
  res.once('close', () => {
    const { route = '', workspace } = notesOf(req);
    const { method } = req;
    const status = res.statusCode;
    span.end({
      name: route === '' ? method : `${method} ${route}`,
      attributes: {
        'http.request.method': method,
        'http.route': route,
        'http.response.status_code': status,
        'partbook.request.id': requestId,
        ...(workspace === undefined ? {} : { 'partbook.workspace': workspace }),
      },
      failure: status >= 500 ? String(status) : null,
    });
  });
  span.around(next);
}
