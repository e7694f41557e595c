// Submits a job with a client of oapi-codegen, and finds it in the list.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"

	slipway "example.org/slipway"
)

func main() {
	ctx := context.Background()
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("TOKEN"))
		return nil
	}
	client, err := slipway.NewClientWithResponses(
		os.Getenv("BASE_URL"), slipway.WithRequestEditorFn(authorize))
	check(err)
	zip, err := os.Open(os.Getenv("ZIP"))
	check(err)
	key := "oapi-codegen"
	answer, err := client.SubmitJobWithBodyWithResponse(ctx, "hpc_one", &slipway.SubmitJobParams{
		Payload:            os.Getenv("PAYLOAD"),
		ContentDisposition: "attachment; filename=job.zip",
		IdempotencyKey:     &key,
	}, "application/zip", zip)
	check(err)
	if answer.JSON201 == nil {
		log.Fatal(answer.Status(), string(answer.Body))
	}
	list, err := client.ListJobsWithResponse(ctx, &slipway.ListJobsParams{})
	check(err)
	for _, each := range *list.JSON200 {
		if each.JobId == answer.JSON201.JobId {
			fmt.Println(each.JobId)
			return
		}
	}
	log.Fatal("the job is not in the list")
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
