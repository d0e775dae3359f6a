import { Link, useLocation } from "wouter"
import { Choice } from "../../../Dashboard/Parts/Choice.tsx"
import { TextField } from "../../../Dashboard/Parts/Field.tsx"
import { useForm } from "../../../Dashboard/Parts/Form.ts"
import { FormDialog } from "../../../Dashboard/Parts/FormDialog.tsx"
import { MoreOptions } from "../../../Dashboard/Parts/MoreOptions.tsx"
import { SelectField } from "../../../Dashboard/Parts/Select.tsx"
import { useAccountResources } from "../../../Dashboard/Rights/AccountResources.ts"
import { resourceFrom, resourceNoun, resourceTitle } from "../../../Dashboard/Rights/ResourceWords.ts"
import { useConnections } from "../../../Dashboard/Service/Lists.ts"
import { type ReportName, reports } from "../Declared.ts"
import { providerOf, reportWords } from "./DatasetWords.ts"
import { useCreateDataset } from "./Queries.ts"

/** As long as Search Console keeps its data. Sources that keep less begin later. */
const monthsBack = 16

const firstDay = (): string => {
  const day = new Date()
  day.setUTCMonth(day.getUTCMonth() - monthsBack)
  return day.toISOString().slice(0, 10)
}

const namesIn = (text: string): ReadonlyArray<string> => text.split(",").map((name) => name.trim()).filter(Boolean)

const examples: Readonly<Record<string, string>> = {
  gsc: "sc-domain:acme.com or https://acme.com/",
  ga4: "properties/123456789",
  sitesearch: "https://acme.com/"
}

const hasFields = (report: ReportName): boolean => report === "gsc.searchanalytics" || report === "ga4.report"

interface Values
  extends Readonly<Record<"connection_id" | "resource" | "since" | "name" | "dimensions" | "metrics", string>>
{
  readonly report: ReportName
  readonly schedule: "daily" | "once"
}

export const DatasetForm = ({ onClose }: { readonly onClose: () => void }) => {
  const [, navigate] = useLocation()
  const make = useCreateDataset()
  const form = useForm<Values>(
    {
      report: "gsc.searchanalytics",
      connection_id: "",
      resource: "",
      since: firstDay(),
      schedule: "daily",
      name: "",
      dimensions: "",
      metrics: ""
    },
    [make],
    ({ dimensions, metrics, name, report, resource, schedule, since }) =>
      make.mutate({
        connection_id: connection?.id ?? "",
        report,
        resource: resourceFrom(resource.trim(), provider),
        since,
        schedule: schedule === "daily" ? "daily" : null,
        ...name.trim() !== "" && { name },
        ...hasFields(report) && dimensions.trim() !== "" && { dimensions: namesIn(dimensions) },
        ...hasFields(report) && metrics.trim() !== "" && { metrics: namesIn(metrics) }
      }, { onSuccess: ({ id }) => navigate(`/datasets/${id}`) })
  )
  const { connection_id, report } = form.values
  const provider = providerOf(report)
  const resourceLabel = provider === "ga4" ? "Property" : "Site"
  const connections = useConnections().data?.filter((each) => each.provider === provider && each.status === "active")
  const connection = connections?.find(({ id }) => id === connection_id) ??
    (connections?.length === 1 ? connections[0] : undefined)
  const listed = useAccountResources(connection)
  const resources = connection === undefined || listed.isPlaceholderData
    ? []
    : (listed.data ?? []).filter(({ allowed }) => allowed)
  return (
    <FormDialog
      title="Make a dataset"
      action="Make the dataset"
      {...form.dialog}
      onClose={onClose}
    >
      <SelectField
        label="Report"
        error={form.errorOf("report")}
        options={reports.map((value) => ({ value, title: reportWords[value] }))}
        value={report}
        onChange={(value) => {
          const chosen = reports.find((each) => each === value)
          if (chosen === undefined) return
          form.set({ report: chosen, ...providerOf(chosen) !== provider && { connection_id: "", resource: "" } })
        }}
      />
      <SelectField
        label="Connection"
        error={form.errorOf("connection_id")}
        required
        emptyTitle={connections?.length === 0 ? "No active connection" : "Choose a connection"}
        options={(connections ?? []).map(({ id, label }) => ({ value: id, title: label }))}
        value={connection?.id ?? ""}
        onChange={(id) => form.set({ connection_id: id, resource: "" })}
      />
      {connections?.length === 0 && <Link href={`/connections/connect?provider=${provider}`}>Connect an account</Link>}
      {listed.error
        ? (
          // Only an admin may list what an account has.
          <TextField
            label={resourceLabel}
            help={`Such as ${examples[provider]}`}
            required
            {...form.field("resource")}
          />
        )
        : (
          <SelectField
            label={resourceLabel}
            required
            emptyTitle={connection === undefined
              ? "Choose a connection first"
              : listed.isFetching
              ? "Loading"
              : `Choose a ${resourceNoun(provider, 1)}`}
            options={resources.map(({ name, resource }) => ({
              value: resource,
              title: resourceTitle(resource, name)
            }))}
            {...form.field("resource")}
          />
        )}
      <TextField
        label="From"
        help="The first day. Days before those that the source keeps are left out."
        type="date"
        required
        {...form.field("since")}
      />
      <Choice
        label="Then"
        name="schedule"
        options={[
          { value: "daily", title: "Every day", help: "Adds each new day, and fetches days again while they change." },
          { value: "once", title: "Once", help: "Keeps the days up to now." }
        ]}
        {...form.field("schedule")}
      />
      <MoreOptions
        count={hasFields(report) ? 3 : 1}
        isOpen={form.hasError("name", "dimensions", "metrics")}
      >
        <TextField
          label="Name"
          help="By default the report and what it is about."
          {...form.field("name")}
        />
        {hasFields(report) && (
          <>
            <TextField
              label="Dimensions"
              help="Names with commas between them. By default those that most people need."
              placeholder={provider === "gsc"
                ? "query, page"
                : "landingPagePlusQueryString, sessionDefaultChannelGroup"}
              {...form.field("dimensions")}
            />
            <TextField
              label="Metrics"
              help="Names with commas between them."
              placeholder={provider === "gsc"
                ? "clicks, impressions, ctr, position"
                : "sessions, engagedSessions, screenPageViews, keyEvents"}
              {...form.field("metrics")}
            />
          </>
        )}
      </MoreOptions>
    </FormDialog>
  )
}
