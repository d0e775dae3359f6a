import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { apiError } from "../../Api/ApiError.ts"
import { ManagerOrKeyRequired } from "../../Api/Authentication.ts"
import { InvalidInput } from "../../Api/Errors.ts"
import { group, served } from "../../Api/Group.ts"
import { JsonRequestBody } from "../../Api/Middleware.ts"
import { Accepted, Created, operation, pagesOf } from "../../Api/Responses.ts"
import { Area, IsTest } from "../../Api/Right.ts"
import { Cursor, pagesOfEntries } from "../../Domain/Page.ts"
import { Lookup } from "../../Domain/Validation/Fields.ts"
import {
  CreatedWebhook,
  Delivery,
  DeliveryPeriod,
  NewWebhook,
  NewWebhookSecret,
  Webhook,
  WebhookChange
} from "./Webhook.ts"

export class WebhookNotFound extends apiError("WebhookNotFound", {
  code: "webhook_not_found",
  status: 404,
  when: "There is no webhook with that id"
}) {}

export class DeliveryNotFound extends apiError("DeliveryNotFound", {
  code: "delivery_not_found",
  status: 404,
  when: "The webhook has no delivery with that id"
}) {}

export class WebhooksGroup extends group("webhooks", { title: "Management: webhooks", listener: "admin" })
  .add(
    HttpApiEndpoint.post("create", "/", {
      payload: NewWebhook,
      success: CreatedWebhook.pipe(Created)
    })
      .middleware(JsonRequestBody)
      .annotateMerge(
        operation("createWebhook", "Create a webhook, to which events are sent", {
          url: "https://hooks.acme.example/openaccounts",
          events: ["connection.created", "connection.expired"]
        })
      )
      .annotate(
        OpenApi.Description,
        "Each event is a POST of `{ type, timestamp, data }`, signed as https://www.standardwebhooks.com describes. " +
          "Any status of 200 to 299 within 10 seconds accepts it. Otherwise it is sent again for 24 hours."
      ),
    pagesOf("webhooks", Webhook).annotateMerge(operation("listWebhooks", "List the webhooks, newest first")),
    HttpApiEndpoint.get("get", "/:id", {
      params: { id: Lookup },
      success: Webhook,
      error: WebhookNotFound.schema
    }).annotateMerge(operation("getWebhook", "Get one webhook")),
    HttpApiEndpoint.patch("change", "/:id", {
      params: { id: Lookup },
      payload: WebhookChange,
      success: Webhook,
      error: WebhookNotFound.schema
    }).middleware(JsonRequestBody).annotateMerge(
      operation("changeWebhook", "Change a webhook, or switch it on or off. Switched off, it gets no events", {
        enabled: true
      })
    ),
    HttpApiEndpoint.post("replaceSecret", "/:id/secret", {
      params: { id: Lookup },
      success: NewWebhookSecret,
      error: WebhookNotFound.schema
    }).annotateMerge(
      operation("replaceWebhookSecret", "Replace a webhook's secret. For 24 hours the one before signs too")
    ),
    HttpApiEndpoint.delete("delete", "/:id", {
      params: { id: Lookup },
      success: HttpApiSchema.NoContent,
      error: WebhookNotFound.schema
    }).annotateMerge(operation("deleteWebhook", "Delete a webhook and its deliveries")),
    HttpApiEndpoint.post("test", "/:id/test", {
      params: { id: Lookup },
      success: Schema.Struct({ id: Delivery.fields.id }).pipe(Accepted),
      error: WebhookNotFound.schema
    }).annotate(IsTest, true).annotateMerge(
      operation("testWebhook", "Send an event of the type `test`, also while the webhook is off")
    ),
    HttpApiEndpoint.get("deliveries", "/:id/deliveries", {
      params: { id: Lookup },
      query: pagesOfEntries(Delivery),
      success: Schema.Struct({ deliveries: Schema.Array(Delivery), cursor: Cursor }),
      error: [InvalidInput.schema, WebhookNotFound.schema]
    }).annotateMerge(operation("listDeliveries", "List the deliveries of the last 30 days, newest first")),
    HttpApiEndpoint.post("redeliver", "/:id/deliveries/:delivery_id/redeliver", {
      params: { id: Lookup, delivery_id: Lookup },
      success: Delivery.pipe(Accepted),
      error: [WebhookNotFound.schema, DeliveryNotFound.schema]
    }).annotateMerge(
      operation("redeliver", "Send an event once more, with the same id, also while the webhook is off")
    ),
    HttpApiEndpoint.post("redeliverAll", "/:id/redeliver", {
      params: { id: Lookup },
      payload: DeliveryPeriod,
      success: Schema.Struct({
        deliveries: Schema.Int.annotate({ description: "How many events are sent once more." })
      }).pipe(Accepted),
      error: WebhookNotFound.schema
    })
      .middleware(JsonRequestBody)
      .annotateMerge(
        operation(
          "redeliverAll",
          "Send all events of a time once more, with the same ids, also while the webhook is off",
          { since: "2026-11-24T08:00:00Z", until: "2026-11-24T09:00:00Z" }
        )
      )
  )
  .annotateEndpoints(Area, "webhooks")
  .middleware(ManagerOrKeyRequired)
  .prefix("/admin/v1/webhooks")
{}

export class WebhooksApi extends served([WebhooksGroup]) {}
