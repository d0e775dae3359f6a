import { type Html, html } from "../../../Pages/Html/HtmlParts.ts"
import type { Notice } from "../Notices/Notice.ts"
import type { DigestText } from "./Digest.ts"

/** The footer of a mail. */
export interface Frame {
  readonly appName: string
  /** Such as "accounts at risk". */
  readonly topic: string
  /** Absent in mail that nobody can stop. */
  readonly stopUrl?: string
  readonly settingsUrl: string
}

/** The same content twice: plain text, in which no name is markup, and HTML, which loads nothing. */
export interface MailBody {
  readonly text: string
  readonly html: string
}

interface Content {
  readonly title: string
  readonly text: ReadonlyArray<string>
  readonly html: ReadonlyArray<Html>
  readonly link: Notice["link"]
}

// Without colours, so that each mail program shows its own theme.
const style = {
  body:
    "max-width: 560px; margin: 0 auto; padding: 16px; font: 15px/1.5 system-ui, sans-serif; overflow-wrap: anywhere",
  title: "margin: 0 0 16px; font-size: 18px; line-height: 1.3",
  part: "margin: 0 0 12px",
  button: "display: inline-block; padding: 8px 16px; border: 1px solid; border-radius: 6px; font-weight: 600",
  foot: "margin: 24px 0 0; padding: 12px 0 0; border-top: 1px solid; font-size: 13px"
}

const mailBody = (
  { html: parts, link, text, title }: Content,
  { appName, settingsUrl, stopUrl, topic }: Frame
): MailBody => {
  const about = `${appName} sends you mail about ${topic}.`
  const ways = [
    { text: "Change it", url: settingsUrl },
    ...stopUrl === undefined ? [] : [{ text: "Stop it", url: stopUrl }]
  ]
  const [change, ...others] = ways.map((way) => `${way.text}: ${way.url}`)
  const foot = ["-- ", `${about} ${change}`, ...others].join("\n")
  return {
    text: `${[title, ...text, `${link.text}: ${link.url}`, foot].join("\n\n")}\n`,
    html: html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<body style="margin: 0">
<div style="${style.body}">
<h1 style="${style.title}">${title}</h1>
${parts}
<p style="margin: 20px 0"><a style="${style.button}" href="${link.url}">${link.text}</a></p>
<p style="${style.foot}">${about}
${ways.map((way) => html`<a href="${way.url}">${way.text}</a>`)}</p>
</div>
</body>
</html>
`.markup
  }
}

const part = (name: string, lines: ReadonlyArray<string>): Html =>
  html`<p style="${style.part}"><b>${name}</b>${lines.map((line) => html`<br>${line}`)}</p>`

export const noticeMail = ({ facts, link, title }: Notice, frame: Frame): MailBody =>
  mailBody({
    title,
    text: [facts.map(({ name, value }) => `${name}: ${value}`).join("\n")],
    html: facts.map(({ name, value }) => part(name, [value])),
    link
  }, frame)

export const digestMail = ({ clients, more, title }: DigestText, link: Notice["link"], frame: Frame): MailBody => {
  const last = more === undefined ? [] : [more]
  return mailBody({
    title,
    text: [...clients.map(({ lines, name }) => [name, ...lines.map((line) => `  ${line}`)].join("\n")), ...last],
    html: [
      ...clients.map(({ lines, name }) => part(name, lines)),
      ...last.map((line) => html`<p style="${style.part}">${line}</p>`)
    ],
    link
  }, frame)
}
