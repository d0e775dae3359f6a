import { registerHooks } from "node:module"

/** `@hey-api/openapi-ts` needs the compiler API of TypeScript 5. */
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, specifier === "typescript" ? { ...context, parentURL: import.meta.url } : context)
})
