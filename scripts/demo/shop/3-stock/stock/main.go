// Command stock answers how many of an item are left.
package main

import (
	"database/sql"
	"encoding/json"
	"log"
	"net/http"
)

type server struct{ db *sql.DB }

func (s *server) count(w http.ResponseWriter, r *http.Request) {
	var left int
	row := s.db.QueryRowContext(r.Context(), "SELECT units FROM stock WHERE sku = $1", r.PathValue("sku"))
	if err := row.Scan(&left); err != nil {
		http.Error(w, "unknown item", http.StatusNotFound)
		return
	}
	json.NewEncoder(w).Encode(map[string]int{"left": left})
}

func main() {
	db, err := sql.Open("pgx", "")
	if err != nil {
		log.Fatal(err)
	}
	s := &server{db: db}
	http.HandleFunc("GET /stock/{sku}", s.count)
	log.Fatal(http.ListenAndServe("127.0.0.1:9000", nil))
}
