export type RequestAuthentication =
  | { readonly _tag: "Bearer" }
  | { readonly _tag: "Header"; readonly name: string }
  | { readonly _tag: "QueryParameter"; readonly name: string }

export const bearer: RequestAuthentication = { _tag: "Bearer" }

export const header = (name: string): RequestAuthentication => ({ _tag: "Header", name: name.toLowerCase() })

export const queryParameter = (name: string): RequestAuthentication => ({ _tag: "QueryParameter", name })
