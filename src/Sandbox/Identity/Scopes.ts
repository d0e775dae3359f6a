const google = <const Name extends string>(name: Name) => `https://www.googleapis.com/auth/${name}` as const

export const scopes = {
  webmastersReadonly: google("webmasters.readonly"),
  webmasters: google("webmasters"),
  analyticsReadonly: google("analytics.readonly"),
  analytics: google("analytics"),
  analyticsEdit: google("analytics.edit"),
  spreadsheetsReadonly: google("spreadsheets.readonly"),
  spreadsheets: google("spreadsheets"),
  documentsReadonly: google("documents.readonly"),
  documents: google("documents"),
  driveReadonly: google("drive.readonly"),
  driveFile: google("drive.file"),
  drive: google("drive"),
  openid: "openid",
  email: "email",
  profile: "profile",
  userinfoEmail: google("userinfo.email"),
  userinfoProfile: google("userinfo.profile"),
  webmasterRead: "webmaster.read",
  webmasterManage: "webmaster.manage"
} as const

const sitesearch: ReadonlySet<string> = new Set([scopes.webmasterRead, scopes.webmasterManage])

export const knownScopes: Readonly<Record<"google" | "sitesearch", ReadonlySet<string>>> = {
  google: new Set(Object.values(scopes).filter((scope) => !sitesearch.has(scope))),
  sitesearch
}
