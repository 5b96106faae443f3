import type { Caller, SharedCatalog } from './shared-catalog.ts';

/** The caller of a request, and the catalog that was current when the request arrived. */
export class RequestContext {
  readonly caller: Caller;
  readonly catalog: SharedCatalog;

  constructor(caller: Caller, catalog: SharedCatalog) {
    this.caller = caller;
    this.catalog = catalog;
  }

  /** Reads the result of authentication. */
  static of({ who }: { who?: object | undefined }): RequestContext {
    if (who instanceof RequestContext) return who;
    throw new Error('a request without a caller');
  }
}
