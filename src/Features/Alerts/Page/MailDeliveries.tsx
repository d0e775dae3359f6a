import { Empty } from "../../../Dashboard/Parts/Empty.tsx"
import { OlderButton } from "../../../Dashboard/Parts/OlderButton.tsx"
import { StatusOf } from "../../../Dashboard/Parts/Status.tsx"
import { type Column, Table } from "../../../Dashboard/Parts/Table.tsx"
import { Time } from "../../../Dashboard/Parts/Time.tsx"
import { useServicePages } from "../../../Dashboard/Service/Queries.ts"
import { counted } from "../../../Domain/Calls/MissingWords.ts"
import type { MailDelivery } from "../Alerts.ts"
import { mailTopics } from "../Declared.ts"

const words = {
  delivered: ["ok", "Sent"],
  pending: ["attention", "Waiting"],
  failed: ["error", "Failed"]
} as const

const topics = new Map<string, string>([...Object.entries(mailTopics), ["digest", "the weekly digest"]])

/** The service may be newer than this page, and have other types. */
const topicOf = (type: string): string => {
  const words = topics.get(type) ?? type
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const columns: ReadonlyArray<Column<MailDelivery>> = [
  {
    title: "Status",
    cell: ({ attempts, error, next_attempt_at, status }) => (
      <>
        <StatusOf entry={words[status]} />
        {error && (
          <span className="meta below-name" title={error}>
            {error}, after {counted(attempts, "attempt")}
          </span>
        )}
        {next_attempt_at && (
          <span className="meta below-name">
            next attempt <Time at={next_attempt_at} />
          </span>
        )}
      </>
    )
  },
  { title: "About", cell: ({ type }) => topicOf(type) },
  { title: "To", cell: ({ email }) => <bdi>{email ?? "not sent yet"}</bdi> },
  { title: "Happened", cell: ({ at }) => <Time at={at} /> }
]

/** The mail of all members, for admins. */
export const MailDeliveries = () => {
  const mail = useServicePages(
    ["mail_deliveries"],
    "mail_deliveries",
    ({ managedAlerts }, page) => managedAlerts.mailDeliveries({ query: page }),
    { live: true }
  )
  return (
    <div className="stack">
      <p className="muted">Alerts and digests of the last 90 days. Each member chooses what comes by e-mail.</p>
      <Table
        label="Mail"
        columns={columns}
        rows={mail.data}
        rowKey={({ id }) => id}
        error={mail.error}
        reloading={mail.isRefetching}
        empty={<Empty>No mail was sent yet. Members choose it in their settings, under Alerts.</Empty>}
      />
      <OlderButton pages={mail} what="mail" />
    </div>
  )
}
