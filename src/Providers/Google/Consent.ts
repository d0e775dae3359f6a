import type { Consent } from "../Provider.ts"

type FileRead = ReturnType<NonNullable<Consent["invitation"]>["read"]>

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

/** For the files of a product, which their owners can share with a service account. */
export const fileConsent = (product: string, file: string, read: (id: string) => FileRead): Consent => ({
  ...googleConsent,
  product,
  reads: `read your ${product} ${file}s`,
  writes: `read and change your ${product} ${file}s`,
  invitation: {
    steps: [
      `Open the ${file} and choose Share.`,
      "Enter the address. Choose Viewer, or Editor to allow changes.",
      "Choose Send."
    ],
    resource: { label: `The link of the ${file}`, hint: "Copy it from the address bar of your browser." },
    read: (text) => {
      const id = fileIdIn(text)
      return id === undefined ? undefined : read(id)
    }
  }
})

const fileIdIn = (text: string): string | undefined =>
  /\/d\/([\w-]{10,200})(?:[/?#]|$)/.exec(text)?.[1] ?? /^[\w-]{10,200}$/.exec(text)?.[0]
