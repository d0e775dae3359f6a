import { CheckList } from "../../../Dashboard/Parts/CheckList.tsx"
import { ErrorNotice } from "../../../Dashboard/Parts/ErrorNotice.tsx"
import { submitting, useForm } from "../../../Dashboard/Parts/Form.ts"
import { namedOptions, SelectField } from "../../../Dashboard/Parts/Select.tsx"
import { useClients } from "../../../Dashboard/Service/Lists.ts"
import { useServiceMutation, useServiceQuery } from "../../../Dashboard/Service/Queries.ts"
import type { AlertChange, AlertChoices } from "../Alerts.ts"
import { mailEvents, mailTopics } from "../Declared.ts"

const topics = mailEvents.map((value) => {
  const topic = mailTopics[value]
  return { value, title: topic.charAt(0).toUpperCase() + topic.slice(1) }
})

const digests = [
  { value: "none", title: "No digest" },
  { value: "all", title: "All clients that I see" },
  { value: "some", title: "Some clients" }
]

/** What the signed-in member gets by e-mail. */
export const AlertSettings = () => {
  const { data, error } = useServiceQuery(["alerts"], ({ alerts }) => alerts.get())
  if (error) return <ErrorNotice error={error} isRead />
  if (data === undefined) return <span className="placeholder" />
  if (!data.available) {
    return (
      <p className="notice">
        This service sends no mail, because its operator has not named a mail server (<code>SMTP_URL</code>).
      </p>
    )
  }
  return <Choices chosen={data} />
}

const digestOf = ({ digest_client_ids: ids }: AlertChoices): string => {
  if (ids === null) return "all"
  return ids.length === 0 ? "none" : "some"
}

const Choices = ({ chosen }: { readonly chosen: AlertChoices }) => {
  const clients = useClients()
  const set = useServiceMutation(({ alerts }, payload: AlertChange) => alerts.set({ payload }), ["alerts"])
  const test = useServiceMutation(({ alerts }) => alerts.test(), [])
  const form = useForm(
    { events: chosen.events, digest: digestOf(chosen), digest_client_ids: chosen.digest_client_ids ?? [] },
    [set],
    ({ digest, digest_client_ids: some, events }) => {
      const ids = digest === "some" ? some : []
      set.mutate({ events, digest_client_ids: digest === "all" ? null : ids })
    }
  )
  const { busy, error, onSubmit } = form.dialog
  return (
    <form className="stack narrow" onSubmit={submitting(onSubmit)}>
      <p className="muted">
        Mail goes to <bdi>{chosen.email}</bdi>, and only about clients that you see. Each one has a link that stops it.
      </p>
      <CheckList label="Tell me about" options={topics} {...form.field("events")} />
      <SelectField
        label="Weekly digest"
        help="Each Monday: the calls of each client, and the accounts that need you."
        options={digests}
        {...form.field("digest")}
      />
      {form.values.digest === "some" && (
        <CheckList
          label="Clients of the digest"
          options={clients.data && namedOptions(clients.data)}
          {...form.field("digest_client_ids")}
        />
      )}
      {error && <ErrorNotice error={error} />}
      <div className="row-of">
        <button type="submit" className="primary" disabled={busy}>Save</button>
        <button type="button" disabled={test.isPending} onClick={() => test.mutate()}>Send me a test mail</button>
        <span role="status">{set.isSuccess && !busy ? "Saved" : ""}</span>
      </div>
      {test.error && <ErrorNotice error={test.error} />}
      {/* Always there: a status that appears with its text may not be read out. */}
      <p
        className={test.data ? `notice${test.data.error === null ? "" : " error"}` : "visually-hidden"}
        role="status"
      >
        {test.data && (test.data.error ?? (
          <>
            The mail server has accepted a mail to <bdi>{test.data.email}</bdi>.
          </>
        ))}
      </p>
    </form>
  )
}
