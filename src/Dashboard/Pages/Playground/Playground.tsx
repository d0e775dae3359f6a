import { Option, Schema } from "effect"
import { CallRequest } from "../../../Api/Calls/CallApi.ts"
import { ErrorNotice } from "../../Parts/ErrorNotice.tsx"
import { Page } from "../../Parts/Page.tsx"
import { useUrlParameters } from "../../Parts/UrlState.ts"
import { useById } from "../../Service/ById.ts"
import { getCall } from "../../Service/Calls.ts"
import { useConnections } from "../../Service/Lists.ts"
import { useServiceQuery } from "../../Service/Queries.ts"
import { useSession } from "../../Session/Session.tsx"
import { CallForm } from "./CallForm.tsx"
import { OperationList } from "./OperationList.tsx"
import { operationKey, useOperations } from "./Operations.ts"

const decodeRequest = Schema.decodeUnknownOption(CallRequest)

const useLoggedRequest = (callId: string) => {
  const { isAdmin } = useSession()
  const { data, error, isPlaceholderData } = useServiceQuery(
    ["call", callId],
    (service) => getCall(service, isAdmin, callId),
    { enabled: callId !== "" }
  )
  if (callId === "" || data === undefined || isPlaceholderData) return { request: undefined, error, isReadable: true }
  const request = Option.getOrUndefined(decodeRequest(data.request))
  return { request, error, isReadable: request !== undefined }
}

export const Playground = () => {
  const { get, set } = useUrlParameters<"operation" | "call" | "connection">()
  const callId = get("call")
  const operations = useOperations()
  const logged = useLoggedRequest(callId)
  const key = logged.request
    ? operationKey(
      logged.request.provider,
      logged.request.tool === undefined ? "endpoint" : "tool",
      logged.request.tool ?? logged.request.endpoint ?? ""
    )
    : get("operation")
  const provider = useById(useConnections().data)(get("connection"))?.provider
  const operation = key === ""
    ? operations.data?.find((each) => each.provider === provider)
    : operations.data?.find((each) => each.key === key)
  return (
    <Page title="Playground" about="Try any operation. Calls are read-only until you allow one to write.">
      {operations.error && <ErrorNotice error={operations.error} isRead />}
      {logged.error && <ErrorNotice error={logged.error} isRead />}
      {!logged.isReadable && (
        <p className="notice attention playground-notice">
          The log keeps only a part of this call's request, because it was too long or not a call. Choose the operation
          and fill it in.
        </p>
      )}
      <div className={operation ? "playground chosen" : "playground"}>
        <OperationList
          operations={operations.data}
          selected={operation?.key}
          onSelect={({ key }) => set({ operation: key, call: "" })}
        />
        {operation
          ? (
            <CallForm
              key={`${operation.key} ${logged.request ? callId : ""}`}
              operation={operation}
              initial={logged.request}
              connectionId={get("connection")}
              onLeave={() => set({ operation: "", call: "", connection: "" })}
            />
          )
          : operations.data && <p className="muted">Choose an operation to see what it takes.</p>}
      </div>
    </Page>
  )
}
