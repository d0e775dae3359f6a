import type { Consent } from "../Provider.ts"

const scope = (name: string) => `https://www.googleapis.com/auth/${name}`

/** What each scope allows, in the words of Google's discovery documents and consent page. */
export const googleConsent = {
  scopes: {
    [scope("webmasters")]: "View and manage Search Console data for your verified sites",
    [scope("webmasters.readonly")]: "View Search Console data for your verified sites",
    [scope("analytics")]: "View and manage your Google Analytics data",
    [scope("analytics.readonly")]: "See and download your Google Analytics data",
    [scope("analytics.edit")]: "Edit Google Analytics management entities",
    [scope("spreadsheets")]: "See, edit, create, and delete all your Google Sheets spreadsheets",
    [scope("spreadsheets.readonly")]: "See all your Google Sheets spreadsheets",
    [scope("documents")]: "See, edit, create, and delete all your Google Docs documents",
    [scope("documents.readonly")]: "See all your Google Docs documents",
    [scope("drive")]: "See, edit, create, and delete all of your Google Drive files",
    [scope("drive.file")]: "See, edit, create, and delete only the specific Google Drive files you use with this app",
    [scope("drive.readonly")]: "See and download all your Google Drive files",
    email: "See your primary Google Account email address",
    openid: "Associate you with your personal info on Google"
  },
  signIn: { text: "Sign in with Google", brand: "google" },
  undo: { text: "Third-party connections of your Google Account", url: "https://myaccount.google.com/connections" }
} as const satisfies Partial<Consent>

export const fileIdIn = (text: string): string | undefined =>
  /\/d\/([\w-]{10,200})(?:[/?#]|$)/.exec(text)?.[1] ?? /^[\w-]{10,200}$/.exec(text)?.[0]
