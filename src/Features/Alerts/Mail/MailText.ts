import type { Notice } from "../Notices/Notice.ts"
import type { DigestText } from "./Digest.ts"

/** What stands below a mail. */
export interface Frame {
  readonly appName: string
  /** Such as "accounts at risk". */
  readonly topic: string
  readonly stopUrl: string
  readonly settingsUrl: string
}

const footer = ({ appName, settingsUrl, stopUrl, topic }: Frame): string =>
  [`-- `, `${appName} sends you mail about ${topic}. Change it: ${settingsUrl}`, `Stop it: ${stopUrl}`].join("\n")

/** Plain text, in which no name is markup. */
export const noticeMail = ({ facts, link, title }: Notice, frame: Frame): string =>
  `${
    [
      title,
      facts.map(({ name, value }) => `${name}: ${value}`).join("\n"),
      `${link.text}: ${link.url}`,
      footer(frame)
    ].join("\n\n")
  }\n`

export const digestMail = ({ parts, title }: DigestText, link: Notice["link"], frame: Frame): string =>
  `${[title, ...parts, `${link.text}: ${link.url}`, footer(frame)].join("\n\n")}\n`
