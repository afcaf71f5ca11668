// Command stock answers how many of an item are left.
package main

import (
	"crypto/tls"
	"database/sql"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
)

type server struct {
	db        *sql.DB
	warehouse *http.Client
}

func (s *server) count(w http.ResponseWriter, r *http.Request) {
	var left int
	row := s.db.QueryRowContext(r.Context(), "SELECT units FROM stock WHERE sku = $1", r.PathValue("sku"))
	if err := row.Scan(&left); err != nil {
		http.Error(w, "unknown item", http.StatusNotFound)
		return
	}
	json.NewEncoder(w).Encode(map[string]int{"left": left})
}

func (s *server) search(w http.ResponseWriter, r *http.Request) {
	like := r.FormValue("q")
	rows, err := s.db.QueryContext(r.Context(), fmt.Sprintf("SELECT sku FROM stock WHERE name LIKE '%s'", like))
	if err != nil {
		http.Error(w, "search failed", http.StatusInternalServerError)
		return
	}
	defer rows.Close()
	found := []string{}
	for rows.Next() {
		var sku string
		if err := rows.Scan(&sku); err != nil {
			http.Error(w, "search failed", http.StatusInternalServerError)
			return
		}
		found = append(found, sku)
	}
	json.NewEncoder(w).Encode(found)
}

func main() {
	db, err := sql.Open("pgx", "")
	if err != nil {
		log.Fatal(err)
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
	s := &server{db: db, warehouse: &http.Client{Transport: transport}}
	http.HandleFunc("GET /stock/{sku}", s.count)
	http.HandleFunc("GET /stock", s.search)
	log.Fatal(http.ListenAndServe("127.0.0.1:9000", nil))
}
